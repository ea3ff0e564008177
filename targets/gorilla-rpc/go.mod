module jrpcheck.invalid/targets/gorilla-rpc

go 1.26.0

require github.com/gorilla/rpc v1.2.1
