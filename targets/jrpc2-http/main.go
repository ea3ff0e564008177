// A jrpc2 server behind its HTTP bridge, written as the package documentation shows.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"
	"github.com/creachadair/jrpc2/jhttp"
)

var took atomic.Int64

func subtract(_ context.Context, minuend, subtrahend float64) float64 { return minuend - subtrahend }

func sum(_ context.Context, values []float64) float64 {
	total := 0.0
	for _, value := range values {
		total += value
	}
	return total
}

func getData(context.Context) []any { return []any{"hello", 5} }

func effect(_ context.Context, _ *jrpc2.Request) (any, error) {
	took.Add(1)
	return nil, nil
}

func echo(_ context.Context, req *jrpc2.Request) (any, error) {
	var params json.RawMessage
	if err := req.UnmarshalParams(&params); err != nil {
		return nil, err
	}
	return params, nil
}

func fail(context.Context) error { return errors.New("the handler failed") }

func appError(_ context.Context, code int, data any) error {
	return jrpc2.Errorf(jrpc2.Code(code), "application error").WithData(data)
}

func slow(_ context.Context, ms int) int {
	time.Sleep(time.Duration(ms) * time.Millisecond)
	return ms
}

func count(context.Context) int64 { return took.Load() }

func main() {
	bridge := jhttp.NewBridge(handler.Map{
		"subtract":     handler.NewPos(subtract, "minuend", "subtrahend"),
		"sum":          handler.New(sum),
		"get_data":     handler.New(getData),
		"update":       handler.New(effect),
		"notify_hello": handler.New(effect),
		"notify_sum":   handler.New(effect),
		"echo":         handler.New(echo),
		"fail":         handler.New(fail),
		"app_error":    handler.NewPos(appError, "code", "data"),
		"slow":         handler.NewPos(slow, "ms"),
		"count":        handler.New(count),
	}, nil)
	defer bridge.Close()
	http.Handle("/rpc", bridge)
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
