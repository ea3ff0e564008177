// The driver of go-ethereum's rpc.Client: commands come in, outcomes go out (docs/testing-a-client.md).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

type request struct {
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
	Notify bool              `json:"notify"`
}

type command struct {
	request
	Do   string    `json:"do"`
	Tag  int       `json:"tag"`
	List []request `json:"list"`
}

type driver struct {
	mutex   sync.Mutex // of output
	client  *rpc.Client
	timeout time.Duration
}

func (d *driver) tell(line any) {
	text, err := json.Marshal(line)
	if err != nil {
		text = []byte(fmt.Sprintf(`{"unwritable":%q}`, err))
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	fmt.Println(string(text))
}

func arguments(params []json.RawMessage) []any {
	list := make([]any, len(params))
	for i, one := range params {
		list[i] = one
	}
	return list
}

func outcome(tag int, value any, err error) map[string]any {
	line := map[string]any{}
	if tag > 0 {
		line["tag"] = tag
	}
	var remote rpc.Error
	if err == nil {
		line["result"] = value
	} else if errors.As(err, &remote) {
		told := map[string]any{"code": remote.ErrorCode(), "message": remote.Error()}
		var with rpc.DataError
		if errors.As(err, &with) && with.ErrorData() != nil {
			told["data"] = with.ErrorData()
		}
		line["error"] = told
	} else {
		line["failed"] = err.Error()
	}
	return line
}

func (d *driver) batch(ctx context.Context, c command) map[string]any {
	elements := make([]rpc.BatchElem, len(c.List))
	for i, r := range c.List {
		if r.Notify {
			return outcome(c.Tag, nil, errors.New("a batch of this client has no notifications"))
		}
		elements[i] = rpc.BatchElem{Method: r.Method, Args: arguments(r.Params), Result: new(json.RawMessage)}
	}
	if err := d.client.BatchCallContext(ctx, elements); err != nil {
		return outcome(c.Tag, nil, err)
	}
	list := make([]any, len(elements))
	for i, one := range elements {
		list[i] = outcome(0, one.Result, one.Error)
	}
	return map[string]any{"tag": c.Tag, "list": list}
}

func (d *driver) carryOut(c command) map[string]any {
	ctx, cancel := context.WithTimeout(context.Background(), d.timeout)
	defer cancel()
	if d.client == nil && c.Do != "connect" {
		return map[string]any{"tag": c.Tag, "failed": "not connected"}
	}
	switch c.Do {
	case "call":
		var result json.RawMessage
		err := d.client.CallContext(ctx, &result, c.Method, arguments(c.Params)...)
		return outcome(c.Tag, result, err)
	case "notify":
		return outcome(c.Tag, nil, d.client.Notify(ctx, c.Method, arguments(c.Params)...))
	case "batch":
		return d.batch(ctx, c)
	case "connect":
		client, err := rpc.DialContext(ctx, os.Getenv("JRPCHECK_URL"))
		if err == nil {
			d.client = client
		}
		return outcome(c.Tag, nil, err)
	case "close":
		d.client.Close()
		return outcome(c.Tag, nil, nil)
	}
	return map[string]any{"tag": c.Tag, "failed": "unknown command"}
}

func main() {
	ms, _ := strconv.Atoi(os.Getenv("JRPCHECK_TIMEOUT"))
	d := &driver{timeout: time.Duration(ms) * time.Millisecond}
	// Arguments are a list; a batch is of calls alone.
	d.tell(map[string]any{"driver": 1, "name": "go-ethereum", "version": "1.16.7",
		"can": []string{"call", "notify", "batch", "concurrent", "connect", "close"}})
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var c command
		if json.Unmarshal(line, &c) != nil {
			continue
		}
		switch c.Do {
		case "ping":
			d.tell(map[string]any{"tag": c.Tag, "result": "pong"})
		case "connect", "close":
			d.tell(d.carryOut(c))
		default:
			go func() { d.tell(d.carryOut(c)) }()
		}
	}
}
