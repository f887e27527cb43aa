// What plain native code takes for the same work: files to means, without checks or messages.
//
//   limit QRELS RUN...    prints AP, nDCG, nDCG@10, P@10 and RR of each run
//
// Files are mapped into memory and split between two threads where a topic ends. Columns stand
// between single spaces, scores are short decimals, lists have up to 100,000 documents, topics are
// contiguous. Documents that come twice are looked for, since that is part of the work compared.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using Text = std::string_view;

static Text map_file(const char* path) {
    struct stat told;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &told) != 0) { perror(path); exit(1); }
    void* data = mmap(nullptr, told.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED) { perror(path); exit(1); }
    madvise(data, told.st_size, MADV_SEQUENTIAL);
    return {static_cast<const char*>(data), static_cast<size_t>(told.st_size)};
}

static uint64_t hash_of(Text id) {
    uint64_t state = id.size() * 0x9E3779B97F4A7C15u, word = 0;
    const char* at = id.data();
    size_t left = id.size();
    for (; left >= 8; left -= 8, at += 8) {
        memcpy(&word, at, 8);
        state = (state ^ word) * 0xBF58476D1CE4E5B9u;
        state ^= state >> 31;
    }
    word = 0;
    memcpy(&word, at, left);
    state = (state ^ word) * 0xBF58476D1CE4E5B9u;
    return state ^ state >> 29;
}

// Reads one column and goes to the next one, which may stand on the next line.
static Text next_column(const char*& at) {
    const char* begin = at;
    while (*at > ' ') ++at;
    Text column(begin, at - begin);
    ++at;
    return column;
}

static double number_of(Text text) {
    static const double TENS[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    uint64_t digits = 0, fraction = 0;
    bool negative = text[0] == '-', behind = false;
    for (char c : text.substr(negative)) {
        if (c == '.') { behind = true; continue; }
        digits = digits * 10 + (c - '0');
        fraction += behind;
    }
    double value = static_cast<double>(digits) / TENS[fraction];
    return negative ? -value : value;
}

struct Document { Text id; uint64_t hash; double number; };

// Documents by id, in an open-addressing table.
struct Table {
    std::vector<uint32_t> slots;
    size_t mask = 0;

    void clear(size_t count) {
        size_t size = 16;
        while (size < 2 * count) size *= 2;
        slots.assign(size, 0);
        mask = size - 1;
    }
    // Returns the slot of an id: free, or that of the same id.
    uint32_t& slot(const std::vector<Document>& known, const Document& one) {
        size_t at = one.hash & mask;
        for (; slots[at]; at = (at + 1) & mask) {
            const Document& other = known[slots[at] - 1];
            if (other.hash == one.hash && other.id == one.id) break;
        }
        return slots[at];
    }
};

struct Topic {
    std::vector<Document> judged;
    Table table;
    double relevant = 0, ideal = 0, ideal10 = 0;
};

struct Means { double ap = 0, ndcg = 0, ndcg10 = 0, p10 = 0, rr = 0; };

static std::unordered_map<Text, Topic> topics;
static std::vector<double> discount;

static void read_qrels(const char* path) {
    Text text = map_file(path);
    for (const char* at = text.data(); at < text.data() + text.size();) {
        Topic& topic = topics[next_column(at)];
        next_column(at);
        Text id = next_column(at);
        topic.judged.push_back({id, hash_of(id), number_of(next_column(at))});
    }
    for (auto& [name, topic] : topics) {
        topic.table.clear(topic.judged.size());
        std::vector<double> gains;
        for (size_t i = 0; i < topic.judged.size(); ++i) {
            topic.table.slot(topic.judged, topic.judged[i]) = i + 1;
            if (topic.judged[i].number > 0) gains.push_back(topic.judged[i].number);
        }
        std::sort(gains.rbegin(), gains.rend());
        topic.relevant = gains.size();
        for (size_t i = 0; i < gains.size(); ++i) {
            topic.ideal += gains[i] * discount[i];
            if (i < 10) topic.ideal10 += gains[i] * discount[i];
        }
    }
}

// Most lists come in order of their scores; then only documents with equal ones are sorted.
static void sort_list(std::vector<Document>& list) {
    auto better = [](const Document& a, const Document& b) {
        return a.number != b.number ? a.number > b.number : a.id > b.id;
    };
    size_t count = list.size(), begin = 0;
    for (size_t i = 1; i < count; ++i) {
        if (list[i].number > list[i - 1].number) {
            std::sort(list.begin(), list.end(), better);
            return;
        }
    }
    for (size_t i = 1; i <= count; ++i) {
        if (i < count && list[i].number == list[begin].number) continue;
        if (i - begin > 1) std::sort(list.begin() + begin, list.begin() + i, better);
        begin = i;
    }
}

static void score(Text name, std::vector<Document>& list, Table& seen, Means& sums) {
    auto found = topics.find(name);
    if (found == topics.end() || !found->second.relevant) return;
    Topic& topic = found->second;
    sort_list(list);
    seen.clear(list.size());
    double hits = 0, ap = 0, dcg = 0, dcg10 = 0, p10 = 0, rr = 0;
    for (size_t i = 0; i < list.size(); ++i) {
        uint32_t& slot = seen.slot(list, list[i]);
        if (slot) { fprintf(stderr, "a document comes twice\n"); exit(1); }
        slot = i + 1;
        uint32_t judged = topic.table.slot(topic.judged, list[i]);
        double grade = judged ? topic.judged[judged - 1].number : 0;
        if (grade <= 0) continue;
        hits += 1;
        ap += hits / (i + 1);
        dcg += grade * discount[i];
        if (i < 10) { dcg10 += grade * discount[i]; p10 += .1; }
        if (!rr) rr = 1.0 / (i + 1);
    }
    sums.ap += ap / topic.relevant;
    sums.ndcg += dcg / topic.ideal;
    sums.ndcg10 += dcg10 / topic.ideal10;
    sums.p10 += p10;
    sums.rr += rr;
}

static void read_part(const char* at, const char* end, Means& sums) {
    std::vector<Document> list;
    Table seen;
    Text name;
    while (at < end) {
        Text topic = next_column(at);
        if (topic != name) {
            score(name, list, seen, sums);
            list.clear();
            name = topic;
        }
        next_column(at);
        Text id = next_column(at);
        next_column(at);
        list.push_back({id, hash_of(id), number_of(next_column(at))});
        at = static_cast<const char*>(memchr(at, '\n', end - at)) + 1;
    }
    score(name, list, seen, sums);
}

// Returns where a topic begins behind the middle of a text.
static const char* middle_of(Text text) {
    const char* end = text.data() + text.size();
    auto next_line = [&](const char* at) {
        return static_cast<const char*>(memchr(at, '\n', end - at)) + 1;
    };
    auto topic_at = [](const char* at) { return next_column(at); };
    const char* at = next_line(text.data() + text.size() / 2);
    if (at >= end) return end;
    Text first = topic_at(at);
    while (at < end && topic_at(at) == first) at = next_line(at);
    return at;
}

int main(int count, char** paths) {
    for (int i = 0; i < 100000; ++i) discount.push_back(1 / std::log2(i + 2.0));
    read_qrels(paths[1]);
    double all = topics.size();
    for (int i = 2; i < count; ++i) {
        Text text = map_file(paths[i]);
        const char* middle = middle_of(text);
        Means one, other;
        std::thread second([&] { read_part(middle, text.data() + text.size(), other); });
        read_part(text.data(), middle, one);
        second.join();
        printf("%.9f %.9f %.9f %.9f %.9f\n", (one.ap + other.ap) / all, (one.ndcg + other.ndcg) / all,
               (one.ndcg10 + other.ndcg10) / all, (one.p10 + other.p10) / all, (one.rr + other.rr) / all);
        munmap(const_cast<char*>(text.data()), text.size());
    }
}
