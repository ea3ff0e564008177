// A sourcegraph/jsonrpc2 server on standard input and output with the VSCodeObjectCodec.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

type stdio struct{}

func (stdio) Read(p []byte) (int, error)  { return os.Stdin.Read(p) }
func (stdio) Write(p []byte) (int, error) { return os.Stdout.Write(p) }
func (stdio) Close() error                { return errors.Join(os.Stdin.Close(), os.Stdout.Close()) }

var took atomic.Int64

// decode reads the params into v; the package leaves params to the handler.
func decode(req *jsonrpc2.Request, v any) error {
	if req.Params == nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "params are missing"}
	}
	if err := json.Unmarshal(*req.Params, v); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return nil
}

func handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "subtract":
		var args struct{ Minuend, Subtrahend float64 }
		if err := decode(req, &args); err != nil {
			return nil, err
		}
		return args.Minuend - args.Subtrahend, nil
	case "sum":
		var values []float64
		if err := decode(req, &values); err != nil {
			return nil, err
		}
		total := 0.0
		for _, value := range values {
			total += value
		}
		return total, nil
	case "get_data":
		return []any{"hello", 5}, nil
	case "update", "notify_hello", "notify_sum":
		took.Add(1)
		return nil, nil
	case "echo":
		return req.Params, nil
	case "fail":
		return nil, errors.New("the handler failed")
	case "app_error":
		var args struct {
			Code int64
			Data any
		}
		if err := decode(req, &args); err != nil {
			return nil, err
		}
		failure := &jsonrpc2.Error{Code: args.Code, Message: "application error"}
		failure.SetError(args.Data)
		return nil, failure
	case "slow":
		var args struct{ Ms int }
		if err := decode(req, &args); err != nil {
			return nil, err
		}
		time.Sleep(time.Duration(args.Ms) * time.Millisecond)
		return args.Ms, nil
	case "count":
		return took.Load(), nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "method not found: " + req.Method}
}

func main() {
	stream := jsonrpc2.NewBufferedStream(stdio{}, jsonrpc2.VSCodeObjectCodec{})
	conn := jsonrpc2.NewConn(context.Background(), stream,
		jsonrpc2.AsyncHandler(jsonrpc2.HandlerWithError(handle)))
	<-conn.DisconnectNotify()
}
