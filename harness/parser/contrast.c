#include "harness/parser/contrast.h"

#include "harness/parser/finding_kinds.h"
#include "reference/json/read.h"

#include <assert.h>

// The reader does not recurse, so any depth is allowed.
#define ANY_DEPTH UINT32_MAX

// Whether two answers have different values.
static bool are_different(jck_scale *scale, jrpc_slice one, jrpc_slice other, bool *ret_failed)
{
    jck_losses losses;
    jck_losses back;
    if (jrpc_slice_equal(one, other)) {
        return false;
    }
    if (!jrpc_json_read(&scale->sent, one, ANY_DEPTH, NULL) ||
        !jrpc_json_read(&scale->back, other, ANY_DEPTH, NULL)) {
        return true;
    }
    // What one of them lost, such as a sign, shows only in one direction.
    jck_losses_find(jrpc_json_root(&scale->sent), jrpc_json_root(&scale->back), &losses);
    jck_losses_find(jrpc_json_root(&scale->back), jrpc_json_root(&scale->sent), &back);
    *ret_failed = losses.failed || back.failed;
    return losses.count + back.count > 0;
}

// Whether two replies to one text differ.
static bool disagree(jck_scale *scale, const jck_reply *one, const jck_reply *other,
                     bool *ret_failed)
{
    if (!jck_reply_accepts(one) || !jck_reply_accepts(other)) {
        return jck_reply_accepts(one) != jck_reply_accepts(other) ||
               jck_reply_fails(one) != jck_reply_fails(other);
    }
    return one->kind == JCK_REPLY_ACCEPTED && other->kind == JCK_REPLY_ACCEPTED &&
           are_different(scale, one->text, other->text, ret_failed);
}

// Compares each side with the target, and, as a target that cannot write says nothing about values,
// with the first side that wrote one.
static void compare(jck_scale *scale, const jck_reply *replies, jck_contrast *contrast)
{
    size_t written = 0;
    while (written < contrast->sides && replies[written].kind != JCK_REPLY_ACCEPTED) {
        written++;
    }
    contrast->apart[JCK_TARGET] = false;
    for (size_t side = JCK_OTHER; side < contrast->sides; side++) {
        contrast->apart[side] =
            disagree(scale, &replies[JCK_TARGET], &replies[side], &contrast->failed);
        contrast->differs = contrast->differs || contrast->apart[side] ||
                            (side > written && written > JCK_TARGET &&
                             disagree(scale, &replies[written], &replies[side], &contrast->failed));
    }
}

static bool do_all(const jck_contrast *contrast, jck_class class)
{
    bool all = true;
    for (size_t side = 0; side < contrast->sides && all; side++) {
        all = jck_weight_has(&contrast->weights[side], class);
    }
    return all;
}

// Adds what the sides did; `shared`: also what all did.
static void add_traits(jck_contrast *contrast, const jck_reply *replies, bool shared)
{
    for (size_t side = 0; side < contrast->sides; side++) {
        const jck_weight *weight = &contrast->weights[side];
        for (size_t i = 0; i < weight->deviations.count; i++) {
            const jck_loss *deviation = &weight->deviations.items[i];
            if (shared || !do_all(contrast, deviation->class)) {
                contrast->traits.items[contrast->traits.count++] = (jck_trait){
                    .side = side,
                    .class = deviation->class,
                    .cause = jck_deviation_cause(weight, deviation, &replies[side]),
                };
            }
        }
    }
}

void jck_contrast_find(jck_scale *scale, jrpc_slice text, const jck_reply *replies, size_t sides,
                       jck_contrast *ret_contrast)
{
    assert(sides <= JCK_SIDES_MAX);
    ret_contrast->sides = sides;
    ret_contrast->failed = ret_contrast->differs = false;
    ret_contrast->traits.count = 0;
    compare(scale, replies, ret_contrast);
    if (!ret_contrast->differs) {
        return;
    }
    for (size_t side = 0; side < sides; side++) {
        jck_weigh(scale, text, &replies[side], &ret_contrast->weights[side]);
        ret_contrast->failed =
            ret_contrast->failed || ret_contrast->weights[side].deviations.failed;
    }
    add_traits(ret_contrast, replies, false);
    if (ret_contrast->traits.count == 0) { // all did the same by class, but in different ways
        add_traits(ret_contrast, replies, true);
    }
}

static bool is_open_refusal(jck_class class)
{
    return jck_class_is_refusal(class) && class != JCK_CLASS_REFUSES_JSON;
}

// Where a text has several things that may be refused, the smaller text shows which one it was.
static bool is_same(const jck_trait *a, const jck_trait *b)
{
    return a->side == b->side && ((a->class == b->class && a->cause == b->cause) ||
                                  (is_open_refusal(a->class) && is_open_refusal(b->class)));
}

bool jck_contrast_is_within(const jck_contrast *part, const jck_traits *whole)
{
    for (size_t i = 0; i < part->traits.count; i++) {
        size_t k = 0;
        while (k < whole->count && !is_same(&part->traits.items[i], &whole->items[k])) {
            k++;
        }
        if (k == whole->count) {
            return false;
        }
    }
    return part->differs && !part->failed && part->traits.count > 0;
}

// FNV-1a over 64 bits at a time.
static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 1099511628211u;
}

uint64_t jck_traits_key(const jck_traits *traits)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < traits->count; i++) {
        const jck_trait *trait = &traits->items[i];
        hash = mix(mix(mix(hash, (uint64_t)trait->side), (uint64_t)trait->class), trait->cause);
    }
    return hash;
}

const jck_loss *jck_contrast_deviation(const jck_contrast *contrast, const jck_trait *trait)
{
    const jck_losses *deviations = &contrast->weights[trait->side].deviations;
    for (size_t i = 0; i < deviations->count; i++) {
        if (deviations->items[i].class == trait->class) {
            return &deviations->items[i];
        }
    }
    return NULL;
}
