// The driver of jrpc2's client: commands come in, outcomes go out (docs/testing-a-client.md).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
)

type request struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Notify bool            `json:"notify"`
}

type command struct {
	request
	Do   string    `json:"do"`
	Tag  int       `json:"tag"`
	List []request `json:"list"`
}

type driver struct {
	mutex   sync.Mutex // of output and client
	client  *jrpc2.Client
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

func event(kind string, r *jrpc2.Request) map[string]any {
	line := map[string]any{"event": kind, "method": r.Method()}
	if r.HasParams() {
		line["params"] = json.RawMessage(r.ParamString())
	}
	return line
}

func (d *driver) connect() error {
	d.close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(os.Getenv("JRPCHECK_URL"), "tcp://"))
	if err != nil {
		return err
	}
	framing := channel.Line
	if os.Getenv("JRPCHECK_FRAMING") == "content-length" {
		framing = channel.LSP
	}
	d.client = jrpc2.NewClient(framing(conn, conn), &jrpc2.ClientOptions{
		OnNotify: func(r *jrpc2.Request) { d.tell(event("notification", r)) },
		OnCallback: func(_ context.Context, r *jrpc2.Request) (any, error) {
			d.tell(event("request", r))
			return nil, jrpc2.MethodNotFound.Err()
		},
	})
	return nil
}

func (d *driver) close() {
	if d.client != nil {
		d.client.Close()
	}
}

func params(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	return raw
}

func outcome(tag int, value any, err error) map[string]any {
	line := map[string]any{}
	if tag > 0 {
		line["tag"] = tag
	}
	var remote *jrpc2.Error
	switch {
	case err == nil:
		line["result"] = value
	case errors.As(err, &remote) && remote.Code != jrpc2.DeadlineExceeded && remote.Code != jrpc2.Cancelled:
		told := map[string]any{"code": remote.Code, "message": remote.Message}
		if len(remote.Data) > 0 {
			told["data"] = remote.Data
		}
		line["error"] = told
	default:
		line["failed"] = err.Error()
	}
	return line
}

func (d *driver) batch(ctx context.Context, c command) map[string]any {
	specs := make([]jrpc2.Spec, len(c.List))
	for i, r := range c.List {
		specs[i] = jrpc2.Spec{Method: r.Method, Params: params(r.Params), Notify: r.Notify}
	}
	responses, err := d.client.Batch(ctx, specs)
	if err != nil {
		return outcome(c.Tag, nil, err)
	}
	list := make([]any, len(c.List))
	for i, r := range c.List {
		if !r.Notify { // responses come in the order of the requests
			list[i] = response(0, responses[0])
			responses = responses[1:]
		}
	}
	return map[string]any{"tag": c.Tag, "list": list}
}

func response(tag int, r *jrpc2.Response) map[string]any {
	if err := r.Error(); err != nil {
		return outcome(tag, nil, err)
	}
	var result json.RawMessage
	if err := r.UnmarshalResult(&result); err != nil {
		return map[string]any{"tag": tag, "failed": err.Error()}
	}
	if len(result) == 0 {
		return map[string]any{"tag": tag, "unwritable": "an empty result"}
	}
	return outcome(tag, result, nil)
}

func (d *driver) carryOut(c command) map[string]any {
	ctx, cancel := context.WithTimeout(context.Background(), d.timeout)
	defer cancel()
	if d.client == nil && c.Do != "connect" {
		return map[string]any{"tag": c.Tag, "failed": "not connected"}
	}
	switch c.Do {
	case "call":
		r, err := d.client.Call(ctx, c.Method, params(c.Params))
		if err != nil {
			return outcome(c.Tag, nil, err)
		}
		return response(c.Tag, r)
	case "notify":
		return outcome(c.Tag, nil, d.client.Notify(ctx, c.Method, params(c.Params)))
	case "batch":
		return d.batch(ctx, c)
	case "connect":
		return outcome(c.Tag, nil, d.connect())
	case "close":
		d.close()
		return outcome(c.Tag, nil, nil)
	}
	return map[string]any{"tag": c.Tag, "failed": "unknown command"}
}

func main() {
	ms, _ := strconv.Atoi(os.Getenv("JRPCHECK_TIMEOUT"))
	d := &driver{timeout: time.Duration(ms) * time.Millisecond}
	d.tell(map[string]any{"driver": 1, "name": "jrpc2", "version": "1.3.6",
		"can": []string{"call", "notify", "batch", "by-name", "concurrent", "connect", "close", "reports"}})
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			d.close()
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
