/* The moves of annealing chains (DESIGN 4): small random changes of a placement and an order. */
#ifndef REGAL_CORE_CHAIN_MOVE_H
#define REGAL_CORE_CHAIN_MOVE_H

#include "regal/core/placement.h"
#include "regal/core/random.h"
#include "regal/core/simulate.h"
#include "regal/plan.h"

/* What a chain changes. An op's device is that of its leader: the others' entries mean nothing. */
typedef struct regal_chain_state {
    uint8_t *device; /* [op] */
    uint16_t *key;   /* [op] priority, as in a chromosome */
} regal_chain_state;

/* Where a state reaches its max peak, for moves that are aimed at it: the key of the op started
 * last by then, where keys are places in the order; -1: not known. And the device. */
typedef struct regal_aim {
    int32_t key, device;
} regal_aim;

/* The key of place i of n: the middle of n equal slots, the first one highest. Distinct up to
 * 65,536 places. */
REGAL_HD uint16_t regal_position_key(int64_t i, int64_t n) {
    return (uint16_t)(65535 - (2 * i + 1) * 32768 / n);
}

/* For a state whose max peak is at `place`. At window 0 (rank 0), or with more ops than keys, its
 * keys are no places. */
REGAL_HD regal_aim regal_aim_of(regal_objective objective, regal_peak_place place,
                                int64_t op_count) {
    const bool known = objective == REGAL_MEMORY && place.rank > 0 && op_count <= 65536;
    regal_aim aim;
    aim.key = known ? regal_position_key(place.rank - 1, op_count) : -1;
    aim.device = place.device;
    return aim;
}

/* Of 256 moves that could be aimed, so many are, if one of some draws hits. */
enum { REGAL_AIMED_MOVES = 200, REGAL_AIM_TRIES = 4 };

/* What a move has changed, so that it can be undone. A move changes at most this many entries. */
enum { REGAL_MOVE_CHANGES = 256 };

typedef struct regal_change {
    regal_id op;
    uint16_t key;
    uint8_t device;
} regal_change;

typedef struct regal_move_log {
    int32_t count;
    regal_change before[REGAL_MOVE_CHANGES];
} regal_move_log;

typedef enum regal_move_kind {
    REGAL_MOVE_DEVICE,         /* another device */
    REGAL_MOVE_TO_NEIGHBOUR,   /* a graph neighbour's device */
    REGAL_MOVE_SWAP_DEVICES,   /* with another op */
    REGAL_MOVE_BLOCK_DEVICE,   /* another device, with some of its neighbours */
    REGAL_MOVE_SUBTREE_DEVICE, /* a neighbour's or another device, with what follows its lead */
    REGAL_MOVE_DEVICE_AND_KEY, /* another device, and near another op in the order */
    REGAL_MOVE_KEY,            /* a random key */
    REGAL_MOVE_KEY_NEAR,       /* near another op in the order */
    REGAL_MOVE_KEY_BESIDE,     /* just after an input, or just before a consumer */
    REGAL_MOVE_KEY_STEP,       /* a step up or down, of any size */
    REGAL_MOVE_SWAP_KEYS,      /* with another op */
    REGAL_MOVE_BLOCK_KEY,      /* near another op, with some of its inputs */
    REGAL_MOVE_KINDS
} regal_move_kind;

/* How often a kind of move is drawn. Tuned on generated graphs. No single one matters much but the
 * subtree that joins a neighbour: networks of a thousand ops are placed in pieces. */
REGAL_HD uint32_t regal_move_weight(regal_objective objective, int kind) {
    const bool time = objective == REGAL_TIME;
    switch (kind) {
    case REGAL_MOVE_DEVICE:
        return 30;
    case REGAL_MOVE_TO_NEIGHBOUR:
        return 10;
    case REGAL_MOVE_SWAP_DEVICES:
        return 5;
    case REGAL_MOVE_BLOCK_DEVICE:
        return 5;
    case REGAL_MOVE_SUBTREE_DEVICE:
        return time ? 450 : 0;
    case REGAL_MOVE_DEVICE_AND_KEY:
        return time ? 10 : 5;
    case REGAL_MOVE_KEY:
        return time ? 10 : 5;
    case REGAL_MOVE_KEY_NEAR:
        return time ? 20 : 10;
    case REGAL_MOVE_KEY_BESIDE:
        return time ? 20 : 30;
    case REGAL_MOVE_KEY_STEP:
        return 15;
    case REGAL_MOVE_SWAP_KEYS:
        return 10;
    case REGAL_MOVE_BLOCK_KEY:
        return time ? 5 : 10;
    default:
        return 0;
    }
}

REGAL_HD int regal_draw_move_kind(regal_objective objective, uint32_t word) {
    uint32_t sum = 0;
    for (int kind = 0; kind < REGAL_MOVE_KINDS; ++kind)
        sum += regal_move_weight(objective, kind);
    uint32_t place = (uint32_t)regal_word_below(word, sum);
    int kind = 0;
    for (; place >= regal_move_weight(objective, kind); ++kind)
        place -= regal_move_weight(objective, kind);
    return kind;
}

/* A move in the making. */
typedef struct regal_move {
    const regal_problem_view *problem;
    regal_chain_state state;
    regal_move_log *log;
    regal_aim aim;
    uint32_t word[16]; /* see random.h; from 8 on if aimed */
    regal_id op, other, neighbour;
    bool neighbour_is_input;
    regal_id leader;    /* of op */
    int32_t new_device; /* another device for it, or -1 */
} regal_move;

/* Notes an entry before it is changed; false where there is no more room. */
REGAL_HD bool regal_move_note(regal_move *m, regal_id op) {
    if (m->log->count == REGAL_MOVE_CHANGES)
        return false;
    regal_change *change = &m->log->before[m->log->count++];
    change->op = op;
    change->key = m->state.key[op];
    change->device = m->state.device[op];
    return true;
}

REGAL_HD void regal_move_set_key(regal_move *m, regal_id op, int64_t key) {
    if (regal_move_note(m, op))
        m->state.key[op] = (uint16_t)(key < 0 ? 0 : key > 65535 ? 65535 : key);
}

/* Where the leader may run on the device. */
REGAL_HD void regal_move_set_device(regal_move *m, regal_id leader, int32_t device) {
    if ((m->problem->allowed[leader] >> device & 1) != 0 && regal_move_note(m, leader))
        m->state.device[leader] = (uint8_t)device;
}

REGAL_HD int32_t regal_move_device_of(const regal_move *m, regal_id op) {
    return m->state.device[m->problem->leader[op]];
}

REGAL_HD void regal_move_undo(regal_chain_state state, const regal_move_log *log) {
    for (int32_t i = log->count - 1; i >= 0; --i) {
        state.key[log->before[i].op] = log->before[i].key;
        state.device[log->before[i].op] = log->before[i].device;
    }
}

/* A random producer of an input or consumer of an output; any op where there is none. */
REGAL_HD void regal_draw_neighbour(regal_move *m) {
    const regal_problem_view *p = m->problem;
    const regal_op_facts *facts = &p->ops[m->op];
    const int64_t inputs = facts[1].input_begin - facts[0].input_begin;
    int64_t all = inputs;
    for (regal_id o = facts[0].output_begin; o < facts[1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &p->tensors[p->output_tensor[o]];
        all += tensor[1].consumer_begin - tensor[0].consumer_begin;
    }
    int64_t index = regal_word_below(m->word[2], all > 0 ? all : p->op_count);
    m->neighbour = (regal_id)index;
    m->neighbour_is_input = index < inputs || all == 0;
    if (all == 0)
        return;
    if (index < inputs) {
        m->neighbour = p->tensors[p->inputs[facts[0].input_begin + index].tensor].producer;
        return;
    }
    index -= inputs;
    for (regal_id o = facts[0].output_begin;; ++o) {
        const regal_tensor_facts *tensor = &p->tensors[p->output_tensor[o]];
        const int64_t consumers = tensor[1].consumer_begin - tensor[0].consumer_begin;
        if (index < consumers) {
            m->neighbour = p->consumer[tensor[0].consumer_begin + index];
            return;
        }
        index -= consumers;
    }
}

/* Another allowed device of the op's leader, or -1. */
REGAL_HD int32_t regal_draw_other_device(const regal_move *m) {
    const uint64_t others =
        m->problem->allowed[m->leader] & ~((uint64_t)1 << m->state.device[m->leader]);
    if (others == 0)
        return -1;
    return regal_set_member(others, (int32_t)regal_word_below(m->word[4], regal_set_size(others)));
}

/* The device of the neighbour, or another one where the op is there already or may not be there. */
REGAL_HD int32_t regal_neighbour_device(const regal_move *m) {
    const int32_t device = regal_move_device_of(m, m->neighbour);
    const bool may =
        device != m->state.device[m->leader] && (m->problem->allowed[m->leader] >> device & 1) != 0;
    return may ? device : m->new_device;
}

/* A distance of 1 to about `places` places in the order, in keys. */
REGAL_HD int64_t regal_move_distance(const regal_move *m, int64_t places) {
    const int64_t place = 65535 / m->problem->op_count;
    const int64_t most = places * (place < 2 ? 2 : place);
    return 1 + (int64_t)(m->word[5] & 65535) % (most < 65535 ? most : 65535);
}

REGAL_HD int64_t regal_move_signed(const regal_move *m, int64_t distance) {
    return (m->word[5] >> 16 & 1) != 0 ? distance : -distance;
}

REGAL_HD int64_t regal_key_near_other(const regal_move *m) {
    return m->state.key[m->other] + regal_move_signed(m, regal_move_distance(m, 1));
}

REGAL_HD int64_t regal_key_beside_neighbour(const regal_move *m) {
    const int64_t distance = regal_move_distance(m, 2);
    return m->state.key[m->neighbour] + (m->neighbour_is_input ? -distance : distance);
}

REGAL_HD void regal_move_swap_devices(regal_move *m) {
    const regal_id with = m->problem->leader[m->other];
    const int32_t mine = m->state.device[m->leader], theirs = m->state.device[with];
    if (mine == theirs || (m->problem->allowed[m->leader] >> theirs & 1) == 0) {
        regal_move_set_device(m, m->leader, m->new_device);
        return;
    }
    regal_move_set_device(m, m->leader, theirs);
    regal_move_set_device(m, with, mine);
}

/* About half of the inputs' producers and a quarter of the consumers come along. */
REGAL_HD void regal_move_block_device(regal_move *m) {
    const regal_problem_view *p = m->problem;
    regal_move_set_device(m, m->leader, m->new_device);
    const regal_op_facts *facts = &p->ops[m->op];
    for (regal_id i = facts[0].input_begin;
         i < facts[1].input_begin && m->log->count < REGAL_MOVE_CHANGES; ++i)
        if ((m->word[6] >> (i - facts[0].input_begin) % 32 & 1) != 0)
            regal_move_set_device(m, p->leader[p->tensors[p->inputs[i].tensor].producer],
                                  m->new_device);
    for (regal_id o = facts[0].output_begin; o < facts[1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &p->tensors[p->output_tensor[o]];
        for (regal_id e = tensor[0].consumer_begin;
             e < tensor[1].consumer_begin && m->log->count < REGAL_MOVE_CHANGES; ++e)
            if ((m->word[7] >> (e - tensor[0].consumer_begin) % 16 * 2 & 3) == 0)
                regal_move_set_device(m, p->leader[p->consumer[e]], m->new_device);
    }
}

/* Those of an op's consumers on `device` whose lead it is: in every second move all of them, else
 * one of eight stays behind. */
REGAL_HD void regal_move_followers(regal_move *m, regal_id op, int32_t device) {
    const regal_problem_view *p = m->problem;
    for (regal_id o = p->ops[op].output_begin; o < p->ops[op + 1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &p->tensors[p->output_tensor[o]];
        for (regal_id e = tensor[0].consumer_begin; e < tensor[1].consumer_begin; ++e) {
            const regal_id consumer = p->consumer[e];
            if (m->log->count == REGAL_MOVE_CHANGES)
                return;
            if (p->leader[consumer] == consumer && p->lead[consumer] == op &&
                m->state.device[consumer] == device &&
                ((m->word[7] & 1) != 0 || (m->word[6] >> m->log->count % 30 & 7) != 0))
                regal_move_set_device(m, consumer, m->new_device);
        }
    }
}

/* The log is the queue of the search through the subtree. */
REGAL_HD void regal_move_subtree(regal_move *m) {
    const int32_t old_device = m->state.device[m->leader];
    m->new_device = regal_neighbour_device(m);
    regal_move_set_device(m, m->leader, m->new_device);
    for (int32_t i = 0; i < m->log->count; ++i)
        regal_move_followers(m, m->log->before[i].op, old_device);
}

/* About half of the inputs' producers come along, by the same distance. */
REGAL_HD void regal_move_block_key(regal_move *m) {
    const regal_problem_view *p = m->problem;
    const int64_t shift = (int64_t)m->state.key[m->other] - m->state.key[m->op];
    regal_move_set_key(m, m->op, m->state.key[m->op] + shift);
    const regal_op_facts *facts = &p->ops[m->op];
    for (regal_id i = facts[0].input_begin;
         i < facts[1].input_begin && m->log->count < REGAL_MOVE_CHANGES; ++i)
        if ((m->word[6] >> (i - facts[0].input_begin) % 32 & 1) != 0) {
            const regal_id producer = p->tensors[p->inputs[i].tensor].producer;
            regal_move_set_key(m, producer, m->state.key[producer] + shift);
        }
}

REGAL_HD void regal_move_swap_keys(regal_move *m) {
    const regal_id with = m->other != m->op ? m->other : m->neighbour;
    const uint16_t mine = m->state.key[m->op];
    regal_move_set_key(m, m->op, m->state.key[with]);
    regal_move_set_key(m, with, mine);
}

/* Whether the tensor that edge e reads is there, on the device aimed at, when the max peak is
 * reached: its producer has started, its consumer has not ended. */
REGAL_HD bool regal_edge_is_at_peak(const regal_move *m, regal_id e) {
    const regal_problem_view *p = m->problem;
    const regal_id producer = p->tensors[p->edge_tensor[e]].producer, consumer = p->consumer[e];
    return m->state.key[producer] >= m->aim.key && m->state.key[consumer] <= m->aim.key &&
           (regal_move_device_of(m, producer) == m->aim.device ||
            regal_move_device_of(m, consumer) == m->aim.device);
}

/* Of some edges drawn, the first that is at the peak gives the move its op, one end, and its
 * neighbour, the other. False: none is. */
REGAL_HD bool regal_move_take_aim(regal_move *m) {
    const regal_problem_view *p = m->problem;
    for (int i = 0; i < REGAL_AIM_TRIES; ++i) {
        const regal_id e = (regal_id)regal_word_below(m->word[8 + i], p->edge_count);
        if (!regal_edge_is_at_peak(m, e))
            continue;
        m->neighbour_is_input = (m->word[12] >> 8 & 1) != 0;
        const regal_id producer = p->tensors[p->edge_tensor[e]].producer, consumer = p->consumer[e];
        m->op = m->neighbour_is_input ? consumer : producer;
        m->neighbour = m->neighbour_is_input ? producer : consumer;
        return true;
    }
    return false;
}

/* Gives those of an op's producers that come later (lower keys) the key too: so that the op can
 * come early. */
REGAL_HD void regal_move_advance_inputs(regal_move *m, regal_id op, int64_t key) {
    const regal_problem_view *p = m->problem;
    for (regal_id i = p->ops[op].input_begin;
         i < p->ops[op + 1].input_begin && m->log->count < REGAL_MOVE_CHANGES; ++i) {
        const regal_id producer = p->tensors[p->inputs[i].tensor].producer;
        if (m->state.key[producer] < key)
            regal_move_set_key(m, producer, key);
    }
}

REGAL_HD bool regal_all_consumers_wait(const regal_move *m, regal_id op, int64_t key) {
    const regal_problem_view *p = m->problem;
    for (regal_id o = p->ops[op].output_begin; o < p->ops[op + 1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &p->tensors[p->output_tensor[o]];
        for (regal_id e = tensor[0].consumer_begin; e < tensor[1].consumer_begin; ++e)
            if (m->state.key[p->consumer[e]] > key)
                return false;
    }
    return true;
}

/* Gives those of an op's producers the key too that nobody needs earlier. */
REGAL_HD void regal_move_delay_inputs(regal_move *m, regal_id op, int64_t key) {
    const regal_problem_view *p = m->problem;
    for (regal_id i = p->ops[op].input_begin;
         i < p->ops[op + 1].input_begin && m->log->count < REGAL_MOVE_CHANGES; ++i) {
        const regal_id producer = p->tensors[p->inputs[i].tensor].producer;
        if (m->state.key[producer] > key && regal_all_consumers_wait(m, producer, key))
            regal_move_set_key(m, producer, key);
    }
}

/* The producer goes to between the peak and the consumer, or the consumer to between the producer
 * and the peak; in every second move with what feeds it. The log is the queue of the search. */
REGAL_HD void regal_move_across_peak(regal_move *m) {
    const int64_t span = m->state.key[m->neighbour] - m->aim.key, share = m->word[13] & 65535;
    const int64_t wanted = m->aim.key + span * share / 65536 + (m->neighbour_is_input ? 1 : -1);
    const int64_t key = wanted < 0 ? 0 : wanted > 65535 ? 65535 : wanted;
    regal_move_set_key(m, m->op, key);
    for (int32_t i = 0; (m->word[13] >> 16 & 1) != 0 && i < m->log->count; ++i)
        if (m->neighbour_is_input)
            regal_move_advance_inputs(m, m->log->before[i].op, key);
        else
            regal_move_delay_inputs(m, m->log->before[i].op, key);
}

REGAL_HD void regal_move_apply(regal_move *m, int kind) {
    switch (kind) {
    case REGAL_MOVE_TO_NEIGHBOUR:
        regal_move_set_device(m, m->leader, regal_neighbour_device(m));
        return;
    case REGAL_MOVE_SWAP_DEVICES:
        regal_move_swap_devices(m);
        return;
    case REGAL_MOVE_BLOCK_DEVICE:
        regal_move_block_device(m);
        return;
    case REGAL_MOVE_SUBTREE_DEVICE:
        regal_move_subtree(m);
        return;
    case REGAL_MOVE_DEVICE_AND_KEY:
        regal_move_set_key(m, m->op, regal_key_near_other(m));
    /* fall through */
    case REGAL_MOVE_DEVICE:
        regal_move_set_device(m, m->leader, m->new_device);
        return;
    case REGAL_MOVE_KEY:
        regal_move_set_key(m, m->op, m->word[4] & 65535);
        return;
    case REGAL_MOVE_KEY_NEAR:
        regal_move_set_key(m, m->op, regal_key_near_other(m));
        return;
    case REGAL_MOVE_KEY_STEP: {
        const int64_t most = (int64_t)8 << m->word[4] % 12;
        const int64_t step = 1 + (int64_t)(m->word[5] & 65535) % most;
        regal_move_set_key(m, m->op, m->state.key[m->op] + regal_move_signed(m, step));
        return;
    }
    case REGAL_MOVE_SWAP_KEYS:
        regal_move_swap_keys(m);
        return;
    case REGAL_MOVE_BLOCK_KEY:
        regal_move_block_key(m);
        return;
    default:
        regal_move_set_key(m, m->op, regal_key_beside_neighbour(m));
        return;
    }
}

/* Makes one random move, drawn from a MOVE stream, and logs it. The state stays one that respects
 * groups and allowed sets. An op that may run nowhere else changes its place in the order. */
REGAL_HD void regal_make_move(const regal_problem_view *problem, regal_objective objective,
                              const regal_stream *stream, regal_aim aim, regal_chain_state state,
                              regal_move_log *log) {
    regal_move m;
    m.problem = problem;
    m.state = state;
    m.log = log;
    m.aim = aim;
    const bool aims = aim.key >= 0 && problem->edge_count > 0;
    for (uint32_t block = 0; block < (aims ? 4u : 2u); ++block) {
        const regal_random_block drawn = regal_draw(stream, block);
        for (int i = 0; i < 4; ++i)
            m.word[4 * block + i] = drawn.word[i];
    }
    log->count = 0;
    m.op = (regal_id)regal_word_below(m.word[0], problem->op_count);
    m.other = (regal_id)regal_word_below(m.word[3], problem->op_count);
    if (aims && (m.word[12] & 255) < REGAL_AIMED_MOVES && regal_move_take_aim(&m)) {
        if ((m.word[12] >> 9 & 1) != 0) {
            regal_move_across_peak(&m);
            return;
        }
    } else {
        regal_draw_neighbour(&m);
    }
    m.leader = problem->leader[m.op];
    m.new_device = regal_draw_other_device(&m);
    const int kind = regal_draw_move_kind(objective, m.word[1]);
    regal_move_apply(
        &m, kind <= REGAL_MOVE_DEVICE_AND_KEY && m.new_device < 0 ? REGAL_MOVE_KEY_BESIDE : kind);
}

/* The devices of all ops, as a simulation wants them. Writes device [op]. */
REGAL_HD void regal_spread_devices(const regal_problem_view *problem, const uint8_t *of_leaders,
                                   uint8_t *device) {
    for (regal_id op = 0; op < problem->op_count; ++op)
        device[op] = of_leaders[problem->leader[op]];
}

/* Transfer keys for affinity: each op's tensors as urgent as the most urgent of their consumers.
 * Writes keys [op]. */
REGAL_HD void regal_urgency_keys(const regal_problem_view *problem, const uint16_t *priority,
                                 uint16_t *keys) {
    for (regal_id op = 0; op < problem->op_count; ++op)
        keys[op] = 0;
    for (regal_id e = 0; e < problem->edge_count; ++e) {
        uint16_t *key = &keys[problem->tensors[problem->edge_tensor[e]].producer];
        const uint16_t consumer = priority[problem->consumer[e]];
        *key = consumer > *key ? consumer : *key;
    }
}

#endif
