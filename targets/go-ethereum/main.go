// A go-ethereum rpc server on HTTP and WebSocket: HOST:PORT.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

type failure struct {
	code int
	data any
}

func (f *failure) Error() string  { return "application error" }
func (f *failure) ErrorCode() int { return f.code }
func (f *failure) ErrorData() any { return f.data }

type service struct{ took atomic.Int64 }

func (*service) Subtract(minuend, subtrahend float64) float64 { return minuend - subtrahend }
func (*service) GetData() []any                               { return []any{"hello", 5} }
func (*service) Echo(value any) any                           { return value }
func (*service) Fail() error                                  { return errors.New("the handler failed") }
func (*service) AppError(code int, data any) error            { return &failure{code, data} }
func (s *service) Update(_, _ *float64)                       { s.took.Add(1) }
func (s *service) Count() int64                               { return s.took.Load() }

func (*service) Slow(_ context.Context, ms int) int {
	time.Sleep(time.Duration(ms) * time.Millisecond)
	return ms
}

func main() {
	server := rpc.NewServer()
	if err := server.RegisterName("test", &service{}); err != nil {
		log.Fatal(err)
	}
	http.Handle("/rpc", server)
	http.Handle("/ws", server.WebsocketHandler([]string{"*"}))
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
