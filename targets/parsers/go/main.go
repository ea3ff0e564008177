// Adapter for the JSON parsers of Go: adapter encoding-json|encoding-json-number|encoding-json-v2|goccy|jsoniter|fastjson|sonic
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	"github.com/valyala/fastjson"
)

// What a library makes of a text: what it writes for the value, nil if it cannot write, or why it refuses.
type read func(text []byte) ([]byte, error)

func twoWay(unmarshal func([]byte, any) error, marshal func(any) ([]byte, error)) read {
	return func(text []byte) ([]byte, error) {
		var value any
		if err := unmarshal(text, &value); err != nil {
			return nil, err
		}
		written, err := marshal(value)
		if err != nil {
			return nil, nil
		}
		return written, nil
	}
}

// encoding/json as it must be used to keep numbers exact.
func withNumbers(text []byte) ([]byte, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("more after the value")
	}
	return json.Marshal(value)
}

func unmarshalV2(text []byte, value any) error {
	return jsonv2.Unmarshal(text, value)
}

func marshalV2(value any) ([]byte, error) {
	return jsonv2.Marshal(value)
}

func withFastjson(text []byte) ([]byte, error) {
	value, err := fastjson.ParseBytes(text)
	if err != nil {
		return nil, err
	}
	return value.MarshalTo(nil), nil
}

var libraries = map[string]struct {
	module string // empty: the standard library
	read   read
}{
	"encoding-json":        {"", twoWay(json.Unmarshal, json.Marshal)},
	"encoding-json-number": {"", withNumbers},
	"encoding-json-v2":     {"github.com/go-json-experiment/json", twoWay(unmarshalV2, marshalV2)},
	"goccy":                {"github.com/goccy/go-json", twoWay(goccy.Unmarshal, goccy.Marshal)},
	"jsoniter":             {"github.com/json-iterator/go", twoWay(jsoniter.Unmarshal, jsoniter.Marshal)},
	"fastjson":             {"github.com/valyala/fastjson", withFastjson},
	"sonic":                {"github.com/bytedance/sonic", twoWay(sonic.ConfigStd.Unmarshal, sonic.ConfigStd.Marshal)},
}

func versionOf(module string) string {
	info, ok := debug.ReadBuildInfo()
	for ok && module != "" {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return strings.TrimPrefix(dependency.Version, "v")
			}
		}
		break
	}
	return strings.TrimPrefix(runtime.Version(), "go")
}

func answer(library read, text []byte) []byte {
	written, err := library(text)
	if err != nil {
		return append([]byte("R"), err.Error()[:min(len(err.Error()), 1000)]...)
	}
	if written == nil {
		return []byte("a")
	}
	return append([]byte("A"), written...)
}

func main() {
	library, ok := libraries[os.Args[len(os.Args)-1]]
	if !ok {
		fmt.Fprintln(os.Stderr, "adapter: name a library")
		os.Exit(2)
	}
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	send := func(body []byte) {
		binary.Write(out, binary.BigEndian, uint32(len(body)))
		out.Write(body)
		out.Flush()
	}
	name := os.Args[len(os.Args)-1]
	identity, _ := json.Marshal(map[string]string{"name": name, "version": versionOf(library.module), "language": "Go"})
	send(append([]byte("I"), identity...))
	var size uint32
	for binary.Read(in, binary.BigEndian, &size) == nil {
		text := make([]byte, size)
		if _, err := io.ReadFull(in, text); err != nil {
			os.Exit(1)
		}
		send(answer(library.read, text))
	}
}
