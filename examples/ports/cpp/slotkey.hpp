// Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". C++17, one header.
//
// Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
// because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
// finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
// normalisation. A key is a string_view: it may hold NUL, and need not be valid UTF-8.
//
//     if (!slotkey::owns(key, 3, 1)) return; // acknowledge and forget: another member has it
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace slotkey {

inline constexpr std::int64_t max_size = 1024;

// The key of an event, or nullopt where it has none. An attribute that is nullopt or empty is absent.
inline std::optional<std::string_view> routing_key(std::optional<std::string_view> subject, std::optional<std::string_view> id) {
    if (subject && !subject->empty()) return subject;
    if (id && !id->empty()) return id;
    return std::nullopt;
}

// The first stage of the hash. unsigned char, because a plain char may be signed.
constexpr std::uint32_t fnv1a32(std::string_view key) noexcept {
    std::uint32_t h = 2166136261u;
    for (char c : key) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h;
}

// The second stage of the hash.
constexpr std::uint32_t fmix32(std::uint32_t h) noexcept {
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

// The hash of a key. Unlike std::hash it is the same in every library.
constexpr std::uint32_t hash32(std::string_view key) noexcept { return fmix32(fnv1a32(key)); }

// The slot of a key in a group of size slots, from 0.
inline int slot(std::string_view key, std::int64_t size) {
    if (size < 1 || size > max_size) throw std::out_of_range("size " + std::to_string(size) + " is not 1 to " + std::to_string(max_size));
    return static_cast<int>(hash32(key) % static_cast<std::uint32_t>(size));
}

// Whether the member that holds slot index owns the key.
inline bool owns(std::string_view key, std::int64_t size, std::int64_t index) {
    if (index < 0 || index >= size) throw std::out_of_range("index " + std::to_string(index) + " is not below size " + std::to_string(size));
    return slot(key, size) == index;
}

// The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change.
inline std::vector<int> deal(std::int64_t slots, std::int64_t members) {
    if (members < 1 || members > slots || slots > max_size)
        throw std::out_of_range(std::to_string(members) + " members cannot share " + std::to_string(slots) + " slots");
    std::vector<std::vector<int>> hands(1, std::vector<int>(slots));
    std::iota(hands[0].begin(), hands[0].end(), 0);
    for (std::int64_t newcomer = 1; newcomer < members; newcomer++) {
        std::vector<int> taken;
        for (auto n = slots / (newcomer + 1); n > 0; n--) {
            auto giver = std::max_element(hands.rbegin(), hands.rend(), [](auto& a, auto& b) { return a.size() < b.size(); });
            taken.push_back(giver->back());
            giver->pop_back();
        }
        std::sort(taken.begin(), taken.end());
        hands.push_back(std::move(taken));
    }
    std::vector<int> holders(slots);
    for (std::size_t member = 0; member < hands.size(); member++)
        for (int s : hands[member]) holders[s] = static_cast<int>(member);
    return holders;
}

} // namespace slotkey
