# Adapter for the JSON parser of Ruby: ruby adapter.rb
require "json"

$stdin.binmode
$stdout.binmode

def answer(body)
  $stdout.write([body.bytesize].pack("N"), body)
  $stdout.flush
end

answer("I" + JSON.generate({ name: "json", version: JSON::VERSION, language: "Ruby" }))
while (head = $stdin.read(4))
  text = $stdin.read(head.unpack1("N")) || ""
  begin
    value = JSON.parse(text.force_encoding("UTF-8"))
  rescue JSON::ParserError, EncodingError, SystemStackError => error
    answer("R".b + error.message.b[0, 1000])
    next
  end
  begin
    answer("A".b + JSON.generate(value).b)
  rescue JSON::GeneratorError, JSON::NestingError, SystemStackError
    answer("a")
  end
end
