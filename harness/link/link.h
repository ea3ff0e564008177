// The way to a target: the command started for it, the connections open to it, and what was learned
// about it on the way.
// A connection is opened in one sequence (open.h): start, connect, prelude, first fence. Sending
// and hearing are in hear.h, the proof that nothing more comes is in synchronise.h.
#ifndef JCK_LINK_LINK_H
#define JCK_LINK_LINK_H

#include "harness/link/connection.h"
#include "harness/link/host.h"
#include "harness/link/kept.h"
#include "harness/link/spent.h"
#include "harness/suite/target.h"
#include "harness/suite/variables.h"

#include <stdbool.h>
#include <stdint.h>

#define JCK_CONNECTIONS_MAX 8 // 'a' to 'h'
// The longest message accepted, in bytes, unless the target's description sets another limit.
#define JCK_RECEIVED_BYTES ((size_t)24 << 20)

// How long things may take, in milliseconds.
typedef struct jck_timing {
    int64_t start_ms;       // from starting a target to its first answer
    int64_t reply_ms;       // until an answer, to a message or a fence, counts as missing
    int64_t reply_least_ms; // … once the target has shown how fast it answers; 0: it stays the same
    int64_t patience_ms;    // until a fence is sent after a message whose answer has not come yet
    int64_t quiet_ms;       // a quiet window of an isolated run
    int64_t grace_ms;       // each stage of ending a child
    int64_t interval_us;    // at least, between two messages of a link; 0: none
    int64_t listen_ms; // how long after its last message a connection that went mute is listened to
                       // in the background; 0: it is closed
    int64_t idle_ms;   // how long an idle process of ours has for its answer in a first look; 0: as
                       // long as any other
    bool elastic; // on a busy machine, a target may start more slowly, and one that is not ours
                  // may answer more slowly
    bool brisk;   // the time for many messages is that for those not yet answered
} jck_timing;

typedef enum jck_link_status {
    JCK_LINK_OK,
    JCK_LINK_UNOPENED,    // could not be started or connected to: *error says
    JCK_LINK_MUTE,        // open, but answers nothing
    JCK_LINK_FLOODS,      // writes without end, but answers nothing
    JCK_LINK_ECHOES,      // sends back what it is sent
    JCK_LINK_INTERRUPTED, // the user asked to stop
    JCK_LINK_FAULT,       // our own failure
} jck_link_status;

// How many messages a connection of the target carries.
typedef enum jck_connection_use {
    JCK_USE_UNKNOWN,
    JCK_USE_MANY,
    JCK_USE_ONE, // the target closes it after its first answer
} jck_connection_use;

// How long the target was seen to take for reading long messages.
typedef struct jck_reading {
    unsigned answers;   // to long messages
    int64_t us_per_mib; // of the slowest of them
} jck_reading;

// How long the target has taken for messages.
typedef struct jck_work {
    int64_t us;
    int64_t messages;
} jck_work;

// The mean of one message; 0 if there was none.
int64_t jck_work_mean_us(const jck_work *work);

// How long the target has taken for many messages at once.
typedef struct jck_many {
    jck_work work;
    unsigned overtaken; // times that a later fence was answered first
} jck_many;

// A target that needs longer than this for a message may be waiting for something else than a
// processor.
#define JCK_PROMPT_US 20000

// What a link has learned about its target; it applies to all connections.
typedef struct jck_learned {
    size_t fence_style;     // number of the style in which a first fence was last answered
    bool fence_number;      // ids of fences are Numbers, because it changes String ids
    bool fence_by_form;     // it answers no style with the fence's id
    size_t recycled_after;  // messages after which it closes a connection in good order; 0: unknown
    size_t kept_after;      // … and a number after which it was seen not to
    size_t swallowed_after; // messages on a connection after which it reads the next one and closes
                            // instead of answering; 0: not seen
    bool params_known;      // it was asked whether it refuses calls without params
    unsigned knocked;       // fences in a row that were answered only after a second one
    int64_t fence_apart_ms; // how long after a message a fence must be sent in order not to be lost
    jck_connection_use use; // how many messages a connection carries
    int64_t starts_us;      // the longest time from its start to its first answer
    bool unserved;          // the last connection was accepted, but its first fence not answered
    unsigned served_next;   // how often that happened and the next connection was served
    unsigned outlived;      // connections in a row that closed while the process lived on
    int64_t us_per_message; // the longest time that it took for each message of a synchronisation
    jck_work work;   // for all messages so far; for many of them, its mean says more than the
                     // longest time, because a process may be slow with its first messages
    unsigned prompt; // times that it needed no longer than JCK_PROMPT_US for each message …
    unsigned tardy;  // … and times that it did
    jck_many many;
    unsigned overtaken;      // long messages that a later fence overtook
    unsigned waited_in_vain; // … and those that were not
    unsigned looked_in_vain; // … including first looks, which are short
    unsigned worked_in_vain; // times that an answer did not come while the process worked, in a row
    unsigned late_in_vain;   // … and for answers to long messages that may get none
    unsigned overtaken_in_vain; // … and to short ones that a fence overtook, in a row
    int64_t late_us;            // the longest time that such an answer took
    int64_t late_each_us;       // … for each message that it answers
    unsigned many_in_vain;      // waits for answers to many messages that did not come, in a row
    unsigned in_order;          // long messages that were answered before a later fence
    jck_reading reading;        // of long messages
    int64_t interval_us;  // between two messages: what it asked for with HTTP 429, or by refusing
                          // fences that came too fast
    int64_t fence_code;   // of the error that answers a fence; 0: none seen
    int64_t limit_code;   // … that answers what came too fast; 0: none seen
    char limit_words[64]; // the beginning of its message, as it is spelled
    unsigned fences_refused; // fences answered with another error, whose code is the server's own
} jck_learned;

// What was learned when a connection was last opened, successfully or not.
typedef struct jck_opening {
    jck_link_status status;
    int64_t took_us;
    int64_t granted_ms;     // how long it was allowed to take
    bool connected;         // something accepted the connection
    int http_status;        // of an HTTP answer without a Response; 0: there was none
    bool unended;           // an HTTP answer began but did not end in time
    bool streams;           // … as a stream of events
    char challenge[200];    // printable: which credentials it asked for (WWW-Authenticate), or ""
    bool wrong_id;          // a Response came with an id other than the fence's
    jck_fence_style formed; // by_form: learned from a Response without the fence's id
    size_t formed_index;    // … which answered this style
    int64_t code;           // of the error that answered the last fence; 0: none
    char words[160];        // printable: the beginning of the first output that answers nothing
    const char *breach;     // why the last bytes before the end cannot be read; or NULL
    bool breaks_frames;     // … because its frames break the rules for them
    bool framed;            // silent in its framing, but it answers in this one
    jrpc_framing framing;
    jck_evidence record; // all that was sent and heard
} jck_opening;

typedef struct jck_link {
    jck_target *target; // borrowed
    jck_timing timing;
    const jrpc_clock *clock; // borrowed
    jrpc_endpoint endpoint;
    jck_host *host;      // borrowed: the --start command, shared with other links
    uint32_t generation; // of the host's process that the connections lead to
    jck_connection connections[JCK_CONNECTIONS_MAX];
    uint32_t nonce;
    jck_fence_numbers fence_numbers;
    jrpc_random random; // makes the ids of fences, which must not be guessable
    jck_learned learned;
    jck_opening opening;
    bool bare;                    // connections are opened without prelude and fence
    jck_credential shown;         // in the handshake of the connection that is being opened
    const char *const *handshake; // … and what stands there in the place of other headers, or NULL
    jrpc_json requests;   // of the case: the answers that requests from the target get, in turn
    uint32_t replied;     // how many of those were given
    uint64_t begun;       // connections so far
    uint64_t opened;      // connections whose first fence was answered
    uint64_t mute;        // the connection that last went mute and is still listened to; 0: none
    jck_kept kept;        // connections listened to in the background
    jck_spent spent;      // what its time was spent on
    bool refused;         // a fence of this case was refused as if it came too fast
    size_t deferred;      // messages that the target asked us to send later
    int64_t sent_us;      // when the last message was sent, or a later time that counts as that
    jrpc_allocator nodes; // of the documents of messages
    jrpc_arena arena;     // of what the prelude captured
    jrpc_arena record;    // of the opening's
    jck_variables captured;
} jck_link;

// Initializes caller's storage; nothing is started yet. All pointers are borrowed.
void jck_link_init(jck_link *link, jck_target *target, const jck_timing *timing,
                   const jrpc_clock *clock, int interrupt_fd, uint32_t nonce, jck_host *host);
// Passes on what another link to the same target has learned, and what its prelude captured. False
// without memory.
bool jck_link_learn_from(jck_link *link, const jck_link *other);
jck_connection *jck_link_connection(jck_link *link, char connection);
// Closes one connection, or puts it aside if it is still to be listened to and there is room.
void jck_link_close(jck_link *link, char connection);
// Listens to a connection that was put aside, until `until_us` or until its own time is over: see
// jck_kept_look.
jck_kept_state jck_link_look_aside(jck_link *link, uint64_t number, int64_t until_us,
                                   int64_t deadline_us);
// Stops listening to a connection that was put aside so much earlier; ignores one that was not.
void jck_link_hasten(jck_link *link, uint64_t number, int64_t by_us);
// Puts connection 'a' aside if it is still to be listened to and there is room, so that the next
// case can end its connection.
void jck_link_spare(jck_link *link);
// Closes one connection that was put aside; 0: none.
void jck_link_forget(jck_link *link, uint64_t number);
// Closes all connections that were put aside.
void jck_link_drop_aside(jck_link *link);
// Appends the end of what the target wrote to its standard error, if we started it; of a --start
// command, that process which `generation` numbers.
void jck_link_stderr_tail(jck_link *link, uint32_t generation, jrpc_buffer *out);
// Closes all connections; a --start command keeps running.
void jck_link_drop(jck_link *link);
// Closes all connections and ends the --start command that they lead to; the link can be opened
// again.
void jck_link_stop(jck_link *link);
// Closes all connections for good; a --start command keeps running.
void jck_link_done(jck_link *link);
// Closes the connections that the next case must not use: those that have carried the one message
// that the target accepts on each, and those that the target closed while nothing was under way.
void jck_link_leave_used(jck_link *link);
// The id of the process behind connection 'a', if we started it; else 0.
int64_t jck_link_process(jck_link *link);
// Whether the target accepts one message per connection, so that each is an exchange of its own:
// because of its transport, or because it closes the connection after its answer.
bool jck_link_exchanges(const jck_link *link);

// Whether a message of this many bytes is long: that other messages overtake it proves little.
bool jck_reading_is_long(size_t bytes);
// Learns from an answer that took `took_us` after messages of `bytes` bytes; ignores short ones.
void jck_reading_note(jck_reading *reading, size_t bytes, int64_t took_us);
// The longest time that reading this many bytes may take: ten seconds for a megabyte, and no more
// for longer messages.
int64_t jck_reading_most_us(size_t bytes);
// How long to wait for this many bytes to be read: once a few long messages were answered, many
// times what those took, but at least a second, and at most jck_reading_most_us.
int64_t jck_reading_learned_us(const jck_reading *reading, size_t bytes);

// If later messages overtake many messages, the target gets this many times the time of one answer
// for them.
#define JCK_MANY_REPLIES 3

// The number of messages sent at once from which the time that the target needs for each can be
// told.
#define JCK_MANY_MESSAGES 10

// Whether the target, which needs *ret_us_each for each message, would take longer for this many
// messages at once than jrpcheck ever waits. A missing answer would then prove nothing.
bool jck_takes_too_long(const jck_link *link, size_t messages, int64_t *ret_us_each);
// When to give up what was sent on a connection, of which so many answers are missing: a target
// that needs time for each message, or each byte (`read_us`), gets it.
int64_t jck_last_moment(const jck_link *link, const jck_connection *open, int64_t reply_ms,
                        int64_t read_us, size_t missing);
// Whether most answers come so soon that the target does not pause without working.
bool jck_link_is_prompt(const jck_link *link);
// Whether the target has done all that it was sent: it is a process of ours on this machine, idle,
// and not one that takes its time without working.
bool jck_link_has_nothing_to_do(jck_link *link);

// Sends nothing for a second, because the target refused what came too fast.
void jck_link_pause(jck_link *link);

// How long reading may take, judging by how long sending took; 0 if the message is not long.
int64_t jck_reading_by_sending_us(const jck_connection *open);
// How long to wait for a fence before a second one is sent: longer for a slow target, which would
// only have one more call to answer, but not in the short time of a first look; and less with each
// that helped at once.
int64_t jck_link_knock_ms(const jck_link *link);
// When to look whether an idle process of ours has had its time for a short message; INT64_MAX:
// never.
int64_t jck_link_idle_look_us(const jck_link *link, const jck_connection *open);
// When a first look looks for the first time whether the target works.
int64_t jck_link_first_look_us(const jck_link *link, const jck_connection *open);

#endif
