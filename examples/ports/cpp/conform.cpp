// Speaks the protocol of docs/conformance.md for slotkey.hpp.

#include "slotkey.hpp"

#include <cstdio>
#include <iostream>

static_assert(slotkey::hash32("") == 0xab3e7c0b);

namespace {

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

std::string bytes(const std::string& field) {
    std::string decoded;
    for (std::size_t i = 0; i + 1 < field.size(); i += 2) decoded += static_cast<char>(digit(field[i]) << 4 | digit(field[i + 1]));
    return decoded;
}

std::string hex(std::string_view bytes) {
    std::string text;
    for (unsigned char c : bytes) {
        text += "0123456789abcdef"[c >> 4];
        text += "0123456789abcdef"[c & 15];
    }
    return text;
}

std::string hashes(std::string_view key) {
    char text[18];
    std::snprintf(text, sizeof text, "%08x\t%08x", slotkey::fnv1a32(key), slotkey::hash32(key));
    return text;
}

std::optional<std::string> attribute(const std::string& field) {
    return field == "-" ? std::nullopt : std::optional(bytes(field));
}

std::string answer(const std::vector<std::string>& f) {
    const auto& operation = f.at(1);
    if (operation == "hash") return hashes(bytes(f.at(2)));
    if (operation == "slot") {
        const auto key = bytes(f.at(2));
        return hashes(key) + "\t" + std::to_string(slotkey::slot(key, std::stoll(f.at(3))));
    }
    if (operation == "owns") return slotkey::owns(bytes(f.at(2)), std::stoll(f.at(3)), std::stoll(f.at(4))) ? "true" : "false";
    if (operation == "key") {
        const auto subject = attribute(f.at(2)), id = attribute(f.at(3));
        const auto key = slotkey::routing_key(subject, id);
        return key ? hex(*key) : "-";
    }
    if (operation == "deal") {
        std::string text;
        for (int holder : slotkey::deal(std::stoll(f.at(2)), std::stoll(f.at(3)))) text += (text.empty() ? "" : ",") + std::to_string(holder);
        return text;
    }
    throw std::invalid_argument("unknown operation");
}

} // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr); // or each read would flush
    std::cout << "slotkey-port/1\tC++\tg++ " << __VERSION__ << "\tnul bytes deal" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        std::vector<std::string> f;
        for (std::size_t begin = 0, tab = 0; tab != std::string::npos; begin = tab + 1) {
            tab = line.find('\t', begin);
            f.push_back(line.substr(begin, tab - begin));
        }
        std::cout << f[0] << '\t';
        try {
            std::cout << answer(f);
        } catch (const std::logic_error& e) {
            std::cout << "error\t" << e.what();
        }
        std::cout << '\n';
    }
    std::cout.flush();
    return std::cout ? 0 : 1;
}
