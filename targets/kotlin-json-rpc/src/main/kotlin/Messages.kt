// The data model of the Kotlin JSON-RPC 2.0 Design, section 5: its structure is validated when an object is made.
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject

/** The text that the server follows, where the texts differ. */
enum class Dialect {
    /** Kotlin JSON-RPC 2.0 Design: an id is a String or a Number, and a handler that throws is -32603. */
    DESIGN,

    /** draft-youssef-na-jsonrpc: ids as in JSON-RPC 2.0, and an exception without a code is -32000. */
    KOTLINX_RPC,

    /** JSON-RPC 1.0, section 9 of the design: jsonrpc is null, params are an Array, a notification has id null. */
    VERSION_1,
}

const val PARSE_ERROR = -32700L
const val INVALID_REQUEST = -32600L
const val METHOD_NOT_FOUND = -32601L
const val INVALID_PARAMS = -32602L
const val INTERNAL_ERROR = -32603L

sealed interface JsonRpcObject {
    val jsonrpc: String?
}

data class JsonRpcRequest(
    override val jsonrpc: String?,
    val method: String,
    val params: JsonElement? = null,
    val id: JsonPrimitive? = null,
    private val dialect: Dialect = Dialect.DESIGN,
) : JsonRpcObject {
    init {
        require(id == null || id.isStringOrNumber() || (id is JsonNull && dialect != Dialect.DESIGN)) {
            "id is a String or a Number"
        }
        require(params == null || params is JsonArray || (params is JsonObject && dialect != Dialect.VERSION_1)) {
            "params is an Array or an Object"
        }
        require(jsonrpc == if (dialect == Dialect.VERSION_1) null else "2.0") { "jsonrpc is \"2.0\"" }
    }

    val isNotification get() = id == null || (id is JsonNull && dialect == Dialect.VERSION_1)
}

data class JsonRpcResponse(
    override val jsonrpc: String?,
    val result: JsonElement? = null,
    val error: JsonRpcError? = null,
    val id: JsonPrimitive? = null,
) : JsonRpcObject {
    init {
        require((result == null) != (error == null)) { "either result or error is set" }
    }

    fun encode(dialect: Dialect) = buildJsonObject {
        jsonrpc?.let { put("jsonrpc", JsonPrimitive(it)) }
        if (result != null || dialect == Dialect.VERSION_1) put("result", result ?: JsonNull)
        if (error != null || dialect == Dialect.VERSION_1) put("error", error?.encode() ?: JsonNull)
        put("id", id ?: JsonNull)
    }
}

data class JsonRpcError(val code: Long, val message: String, val data: JsonElement? = null) {
    fun encode() = buildJsonObject {
        put("code", JsonPrimitive(code))
        put("message", JsonPrimitive(message))
        data?.let { put("data", it) }
    }
}

private val number = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")

/** JsonPrimitive also holds Booleans and null (section 5.2), and what its reader takes for a number without looking. */
fun JsonPrimitive.isStringOrNumber() = isString || number.matches(content)
