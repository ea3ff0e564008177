// A gorilla/rpc server with its codec of JSON-RPC 2.0, as the documentation shows: HOST:PORT.
package main

import (
	"errors"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/gorilla/rpc/v2"
	"github.com/gorilla/rpc/v2/json2"
)

var took atomic.Int64

// Pair is what Subtract takes by name. The codec takes exported types only.
type Pair struct {
	Minuend    float64 `json:"minuend"`
	Subtrahend float64 `json:"subtrahend"`
}

// Pause is what Slow takes.
type Pause struct {
	Ms int `json:"ms"`
}

// Failure is what AppError answers with.
type Failure struct {
	Code int `json:"code"`
	Data any `json:"data"`
}

// Test is the service; the methods of a gorilla/rpc service are called SERVICE.METHOD.
type Test struct{}

func (*Test) Subtract(_ *http.Request, args *Pair, reply *float64) error {
	*reply = args.Minuend - args.Subtrahend
	return nil
}

func (*Test) Sum(_ *http.Request, args *[]float64, reply *float64) error {
	for _, value := range *args {
		*reply += value
	}
	return nil
}

func (*Test) GetData(_ *http.Request, _ *struct{}, reply *[]any) error {
	*reply = []any{"hello", 5}
	return nil
}

func (*Test) Update(_ *http.Request, _ *any, _ *any) error {
	took.Add(1)
	return nil
}

func (*Test) Echo(_ *http.Request, args *any, reply *any) error {
	*reply = *args
	return nil
}

func (*Test) Fail(_ *http.Request, _ *any, _ *any) error {
	return errors.New("the handler failed")
}

func (*Test) AppError(_ *http.Request, args *Failure, _ *any) error {
	return &json2.Error{Code: json2.ErrorCode(args.Code), Message: "application error", Data: args.Data}
}

func (*Test) Slow(_ *http.Request, args *Pause, reply *int) error {
	time.Sleep(time.Duration(args.Ms) * time.Millisecond)
	*reply = args.Ms
	return nil
}

func (*Test) Count(_ *http.Request, _ *any, reply *int64) error {
	*reply = took.Load()
	return nil
}

func main() {
	server := rpc.NewServer()
	server.RegisterCodec(json2.NewCodec(), "application/json")
	if err := server.RegisterService(new(Test), ""); err != nil {
		log.Fatal(err)
	}
	http.Handle("/rpc", server)
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
