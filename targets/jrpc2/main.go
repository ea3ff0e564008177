// A jrpc2 server on standard input and output, written as the package documentation shows.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"
	"github.com/creachadair/jrpc2/server"
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

// push sends a notification to the client.
func push(ctx context.Context, _ *jrpc2.Request) (any, error) {
	return nil, jrpc2.ServerFromContext(ctx).Notify(ctx, "push.note", []int{1})
}

// proxy serves every method by calling a server that runs as a child process.
type proxy struct{ client *jrpc2.Client }

func (p proxy) Assign(context.Context, string) jrpc2.Handler {
	return func(ctx context.Context, req *jrpc2.Request) (any, error) {
		var params any
		if req.HasParams() {
			var given json.RawMessage
			if err := req.UnmarshalParams(&given); err != nil {
				return nil, err
			}
			params = given
		}
		if req.IsNotification() {
			return nil, p.client.Notify(ctx, req.Method(), params)
		}
		answer, err := p.client.Call(ctx, req.Method(), params)
		if err != nil {
			return nil, err
		}
		var result json.RawMessage
		return result, answer.UnmarshalResult(&result)
	}
}

func newProxy() (proxy, error) {
	child := exec.Command(os.Args[0])
	output, err := child.StdoutPipe()
	if err != nil {
		return proxy{}, err
	}
	input, err := child.StdinPipe()
	if err != nil {
		return proxy{}, err
	}
	return proxy{jrpc2.NewClient(channel.Line(output, input), nil)}, child.Start()
}

func main() {
	framing := flag.String("framing", "line", "line, header or raw")
	tcp := flag.String("tcp", "", "an address to listen on instead of standard input")
	reexport := flag.Bool("proxy", false, "serve what a child process serves")
	flag.Parse()

	frame, known := map[string]channel.Framing{"line": channel.Line, "header": channel.LSP, "raw": channel.RawJSON}[*framing]
	if !known {
		log.Fatalf("-framing %s is not known", *framing)
	}
	var assigner jrpc2.Assigner = handler.Map{
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
		"push":         handler.New(push),
	}
	if *reexport {
		made, err := newProxy()
		if err != nil {
			log.Fatal(err)
		}
		assigner = made
	}
	options := &jrpc2.ServerOptions{AllowPush: true}
	if *tcp != "" {
		listener, err := net.Listen("tcp", *tcp)
		if err != nil {
			log.Fatal(err)
		}
		accepter := server.NetAccepter(listener, frame)
		if err := server.Loop(context.Background(), accepter, server.Static(assigner), &server.LoopOptions{ServerOptions: options}); err != nil {
			log.Fatal(err)
		}
		return
	}
	// A channel that cannot be read any further ends the server, which is no failure of its own.
	if err := jrpc2.NewServer(assigner, options).Start(frame(os.Stdin, os.Stdout)).Wait(); err != nil {
		log.Print(err)
	}
}
