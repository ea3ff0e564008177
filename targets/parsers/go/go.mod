module adapter

go 1.24

require (
	github.com/goccy/go-json v0.12.0
	github.com/json-iterator/go v1.1.12
	github.com/valyala/fastjson v1.6.10
)

require (
	github.com/modern-go/concurrent v0.0.0-20180228061459-e0a39a4cb421 // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
)
