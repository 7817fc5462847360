package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A line is one way to write a line of text, with its line feed.
type line func(*rand.Rand) string

// pick returns one of the words.
func pick(rng *rand.Rand, words []string) string {
	return words[rng.IntN(len(words))]
}

var (
	nouns = strings.Fields(`account address backup browser build change client cluster column context
		customer deploy disk document editor entry error event field file folder header history host image
		index invoice issue job key library limit list log market memory message model module network node
		number object order page parser path plan policy price process project queue record region release
		report request result review row sample schedule schema screen server session setting signal source
		state step storage stream string system table team test thread ticket token traffic turn update user
		value version view warning window worker`)
	verbs = strings.Fields(`accepts adds builds calls checks clears closes compares copies counts deletes
		drops ends fails finds fixes follows holds keeps leaves loads marks merges moves needs opens parses
		prints reads records refuses renders repeats replaces returns runs saves sends shows skips sorts
		starts stops stores takes tells tests trims updates waits writes`)
	adjectives = strings.Fields(`active big broken clean current daily early empty exact fast final first
		fresh full hidden known large last late local long main missing new next old open partial plain
		public quick quiet recent remote short simple slow small stale stable strict whole`)
	// japaneseWords are nouns, verbs and particles; any order will do.
	japaneseWords = strings.Fields(`画面 設定 記録 利用者 検索 結果 情報 更新 確認 作業 一覧 表示 文書 変更 保存 予定
		会議 資料 質問 回答 を は が に の と で も から まで する した します ください ファイル サーバー エラー
		ブラウザー テスト データ メッセージ`)
	// mixedWords are of one to four bytes a character, in one word too.
	mixedWords = strings.Fields(`naïve café größer Übersicht señal coração où déjà år blåbær żółw řeka 東京 設定
		файл ошибка поиск αρχείο μνήμη קובץ ملف फ़ाइल 文件 🙂 🚀 ✅ → € “ok” — C♯ µs 5 % x² v1.2 page list error
		build user ready 日本語text état→ok résumé.pdf`)
)

// prose is a paragraph's line, as on a web page: sentences, now and then one
// in quotation marks.
func prose(rng *rand.Rand) string {
	var b strings.Builder
	for range 2 + rng.IntN(3) {
		sentence := fmt.Sprintf("the %s %s %s the %s %s", pick(rng, adjectives), pick(rng, nouns),
			pick(rng, verbs), pick(rng, adjectives), pick(rng, nouns))
		switch rng.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "\"T%s,\" said the %s. ", sentence[1:], pick(rng, nouns))
		case 1:
			fmt.Fprintf(&b, "When it %s, t%s. ", pick(rng, verbs), sentence[1:])
		default:
			fmt.Fprintf(&b, "T%s. ", sentence[1:])
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// code is a line of source, indented by tabs.
func code(rng *rand.Rand) string {
	noun, other := pick(rng, nouns), pick(rng, nouns)
	switch rng.IntN(5) {
	case 0:
		return fmt.Sprintf("func (%c *%s) %s(%s int) error {\n", noun[0], noun, pick(rng, verbs), other)
	case 1:
		return fmt.Sprintf("\tif %s.%s < %d {\n\t\treturn errors.New(\"%s %s\")\n\t}\n", noun, other,
			rng.IntN(1000), pick(rng, adjectives), other)
	case 2:
		return fmt.Sprintf("\t// The %s %s %s a %s.\n", pick(rng, adjectives), noun, pick(rng, verbs), other)
	case 3:
		return fmt.Sprintf("\treturn fmt.Errorf(\"%s: %%w\", err)\n}\n\n", noun)
	default:
		return fmt.Sprintf("\t%s := %s[%d] + len(%s)\n", noun, other, rng.IntN(100), pick(rng, nouns))
	}
}

// record is a line of a log.
func record(rng *rand.Rand) string {
	return fmt.Sprintf("2026-03-%02dT%02d:%02d:%02dZ %-5s %s/%s: %s %s %s %s=%d\n", 1+rng.IntN(28), rng.IntN(24),
		rng.IntN(60), rng.IntN(60), pick(rng, []string{"INFO", "WARN", "DEBUG"}), pick(rng, nouns),
		pick(rng, nouns), pick(rng, adjectives), pick(rng, nouns), pick(rng, verbs), pick(rng, nouns),
		rng.IntN(100_000))
}

// japanese is a line of Japanese: three bytes a character, and no spaces.
func japanese(rng *rand.Rand) string {
	var b strings.Builder
	for range 8 + rng.IntN(16) {
		b.WriteString(pick(rng, japaneseWords))
	}
	return b.String() + "。\n"
}

// mixed is a line of words in many scripts.
func mixed(rng *rand.Rand) string {
	var b strings.Builder
	for range 8 + rng.IntN(8) {
		b.WriteString(pick(rng, mixedWords))
		b.WriteByte(' ')
	}
	return b.String() + "\n"
}

// quotes is a short line full of what JSON escapes.
func quotes(rng *rand.Rand) string {
	return fmt.Sprintf("\"%s\",\"%s\\%s\",\t%d\n", pick(rng, nouns), pick(rng, verbs), pick(rng, nouns), rng.IntN(1000))
}

// A costs tells how many bytes a character takes in a request.
type costs func(rune) int

// of returns how many bytes a text takes.
func (c costs) of(s string) int {
	size := 0
	for _, r := range s {
		size += c(r)
	}
	return size
}

// text returns lines that take size bytes, or less than one character less;
// the last one may be cut.
func text(rng *rand.Rand, write line, size int, cost costs) string {
	var b strings.Builder
	for {
		line := write(rng)
		for i, r := range line {
			if size -= cost(r); size < 0 {
				b.WriteString(line[:i])
				return b.String()
			}
		}
		b.WriteString(line)
	}
}

// edit returns another value, which differs from the old one from some place in
// its first three quarters on, and takes about as many bytes.
func edit(rng *rand.Rand, write line, old string, cost costs) string {
	for {
		kept := strings.ToValidUTF8(old[:rng.IntN(len(old)*3/4+1)], "")
		if edited := kept + text(rng, write, cost.of(old)-cost.of(kept), cost); edited != old {
			return edited
		}
	}
}
