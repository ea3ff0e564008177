// The methods that the suite asks for, in three services; their state is that of the process.
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonDecoder
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonEncoder
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.JsonUnquotedLiteral
import java.math.BigDecimal
import java.util.concurrent.atomic.AtomicLong

/** Numbers of any size, and no Strings that look like one: Long.serializer() reads "1" as 1. */
object Decimal : KSerializer<BigDecimal> {
    override val descriptor = PrimitiveSerialDescriptor("Decimal", PrimitiveKind.DOUBLE)

    override fun deserialize(decoder: Decoder): BigDecimal {
        val given = (decoder as JsonDecoder).decodeJsonElement()
        if (given !is JsonPrimitive || given.isString || !given.isStringOrNumber()) throw SerializationException("a Number")
        return BigDecimal(given.content)
    }

    override fun serialize(encoder: Encoder, value: BigDecimal) =
        (encoder as JsonEncoder).encodeJsonElement(JsonUnquotedLiteral(value.toString()))
}

object WholeNumber : KSerializer<Long> {
    override val descriptor = PrimitiveSerialDescriptor("WholeNumber", PrimitiveKind.LONG)

    override fun deserialize(decoder: Decoder): Long = try {
        Decimal.deserialize(decoder).longValueExact()
    } catch (_: ArithmeticException) {
        throw SerializationException("a whole number of 64 bits")
    }

    override fun serialize(encoder: Encoder, value: Long) = encoder.encodeLong(value)
}

private val any = JsonElement.serializer()
private val took = AtomicLong()

class Arithmetic(private val dialect: Dialect) : Service {
    override fun register(server: JsonRpcServer) {
        val two = RpcMetaData(ParameterMetaData("minuend", Decimal), ParameterMetaData("subtrahend", Decimal))
        server.register("subtract", Decimal, two) { (it[0] as BigDecimal) - (it[1] as BigDecimal) }
        server.register("sum", Decimal, RpcMetaData(rest = Decimal)) { numbers -> numbers.sumOf { it as BigDecimal } }
        server.register("get_data", any, RpcMetaData()) { JsonArray(listOf(JsonPrimitive("hello"), JsonPrimitive(5))) }
        server.register("echo", ListSerializer(any), RpcMetaData(rest = any)) { list -> list.map { it as JsonElement } }
        val optional = RpcMetaData(ParameterMetaData("a", any), ParameterMetaData("b", any, isOptional = true))
        server.register("optional", ListSerializer(any), optional) { list -> list.map { it as JsonElement? ?: JsonNull } }
        if (dialect == Dialect.KOTLINX_RPC) {
            val context = RpcMetaData(ParameterMetaData("<context0>", any), ParameterMetaData("<context1>", any))
            server.register("context", ListSerializer(any), context) { list -> list.map { it as JsonElement } }
            server.register("rpc.defined", any, RpcMetaData()) { JsonNull }
        }
    }
}

class Meter : Service {
    override fun register(server: JsonRpcServer) {
        for (name in listOf("update", "notify_hello", "notify_sum")) {
            server.registerNotification(name, RpcMetaData(rest = any)) { took.incrementAndGet() }
        }
        server.register("count", Long.serializer(), RpcMetaData()) { took.get() }
        // Its signature is not looked at: it shows that a handler does not run whose params do not fit.
        val signed = RpcMetaData(ParameterMetaData("message", any), ParameterMetaData("signature", any))
        server.register("signed", any, signed) {
            took.incrementAndGet()
            JsonNull
        }
        server.register("slow", Long.serializer(), RpcMetaData(ParameterMetaData("ms", WholeNumber))) {
            val ms = it[0] as Long
            delay(ms)
            ms
        }
        server.register("fail", any, RpcMetaData(rest = any)) { throw IllegalStateException("the meter is broken") }
        server.register("throw", any, RpcMetaData(ParameterMetaData("message", String.serializer()))) {
            throw IllegalStateException(it[0] as String)
        }
        val failure = RpcMetaData(
            ParameterMetaData("code", WholeNumber),
            ParameterMetaData("message", String.serializer(), isOptional = true),
            ParameterMetaData("data", any, isOptional = true),
        )
        server.register("app_error", any, failure) {
            throw JsonRpcException(it[0] as Long, it[1] as String? ?: "application error", it[2] as JsonElement?)
        }
    }
}

class Streams(private val endpoint: Endpoint) : Service {
    override fun register(server: JsonRpcServer) {
        server.register("push", any, RpcMetaData(rest = any)) { list ->
            endpoint.notify("push.note", JsonArray(list.map { it as JsonElement }))
            JsonNull
        }
        server.register("flow", Long.serializer(), RpcMetaData()) { endpoint.giveOut(numbers(fails = false)) { JsonPrimitive(it) } }
        server.register("failing_flow", Long.serializer(), RpcMetaData()) { endpoint.giveOut(numbers(fails = true)) { JsonPrimitive(it) } }
        server.register("collect", Decimal, RpcMetaData(ParameterMetaData("flow", any))) {
            var total = BigDecimal.ZERO
            endpoint.flowOfClient(it[0] as JsonElement).collect { item -> total += BigDecimal((item as JsonPrimitive).content) }
            total
        }
    }

    private fun numbers(fails: Boolean) = flow {
        took.incrementAndGet()
        for (number in 0..2) {
            if (fails && number > 0) throw IllegalStateException("the Flow failed")
            emit(number)
        }
    }
}
