// Runs a listing of the tutorial with another server's address in it: node run.js LISTING
'use strict';

const fs = require('fs');
const path = require('path');

const printed = 'ws://127.0.0.1:8000/rpc/ws';
const text = fs.readFileSync(path.join(__dirname, process.argv[2]), 'utf8').replace(printed, process.env.JRPCHECK_URL);
new Function('require', text)(require);
