#include "harness/parser/contrast.h"

#include "harness/parser/finding_kinds.h"
#include "reference/json/read.h"

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

static bool disagree(jck_scale *scale, const jck_reply replies[JCK_SIDES], bool *ret_failed)
{
    const jck_reply *target = &replies[JCK_TARGET];
    const jck_reply *other = &replies[JCK_OTHER];
    if (!jck_reply_accepts(target) || !jck_reply_accepts(other)) {
        return jck_reply_accepts(target) != jck_reply_accepts(other) ||
               jck_reply_fails(target) != jck_reply_fails(other);
    }
    return target->kind == JCK_REPLY_ACCEPTED && other->kind == JCK_REPLY_ACCEPTED &&
           are_different(scale, target->text, other->text, ret_failed);
}

// Adds what a side did; `all`: also what both did.
static void add_traits(jck_contrast *contrast, const jck_reply replies[JCK_SIDES], int side,
                       bool all)
{
    const jck_weight *weight = &contrast->weights[side];
    const jck_weight *against = &contrast->weights[side == JCK_TARGET ? JCK_OTHER : JCK_TARGET];
    for (size_t i = 0; i < weight->deviations.count; i++) {
        const jck_loss *deviation = &weight->deviations.items[i];
        if (all || !jck_weight_has(against, deviation->class)) {
            contrast->traits[contrast->trait_count++] = (jck_trait){
                .side = side,
                .class = deviation->class,
                .cause = jck_deviation_cause(weight, deviation, &replies[side]),
            };
        }
    }
}

void jck_contrast_find(jck_scale *scale, jrpc_slice text, const jck_reply replies[JCK_SIDES],
                       jck_contrast *ret_contrast)
{
    *ret_contrast = (jck_contrast){.failed = false};
    ret_contrast->differs = disagree(scale, replies, &ret_contrast->failed);
    if (!ret_contrast->differs) {
        return;
    }
    for (int side = 0; side < JCK_SIDES; side++) {
        jck_weigh(scale, text, &replies[side], &ret_contrast->weights[side]);
        ret_contrast->failed =
            ret_contrast->failed || ret_contrast->weights[side].deviations.failed;
    }
    // Both did the same by class, but in different ways.
    for (int all = 0; all < 2 && ret_contrast->trait_count == 0; all++) {
        add_traits(ret_contrast, replies, JCK_TARGET, all == 1);
        add_traits(ret_contrast, replies, JCK_OTHER, all == 1);
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

bool jck_contrast_is_within(const jck_contrast *part, const jck_contrast *whole)
{
    for (size_t i = 0; i < part->trait_count; i++) {
        size_t k = 0;
        while (k < whole->trait_count && !is_same(&part->traits[i], &whole->traits[k])) {
            k++;
        }
        if (k == whole->trait_count) {
            return false;
        }
    }
    return part->differs && !part->failed && part->trait_count > 0;
}

// FNV-1a over 64 bits at a time.
static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 1099511628211u;
}

uint64_t jck_contrast_key(const jck_contrast *contrast)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < contrast->trait_count; i++) {
        const jck_trait *trait = &contrast->traits[i];
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
