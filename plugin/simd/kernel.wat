;; The hottest loops of plugin/json and plugin/fragment, sixteen bytes at a time.
;; Each passes over what is regular and leaves the rest to its twin in Go's
;; assembler: so nothing is decided here that is not decided there. link puts it
;; into a module built with the tag simd.
;;
;; Constants that a loop uses often are in locals, which is in registers. What is loaded
;; from one address is so from the highest offset down: the bounds are checked but once.
;; Functions that are not exported are expressions with a name: link puts them where they
;; are called.
(module
  (import "turncontext" "memory" (memory 1))

  ;; bits has a bit for the sign of each byte of both.
  (func $bits (param $a v128) (param $b v128) (result i32)
    (i32.or
      (i8x16.bitmask (local.get $a))
      (i32.shl (i8x16.bitmask (local.get $b)) (i32.const 16))))

  ;; not_in has the bits that are not in mask.
  (func $not_in (param $bits i32) (param $mask i32) (result i32)
    (i32.and (local.get $bits) (i32.xor (local.get $mask) (i32.const -1))))

  ;; run_ends is simdjson's way to find the bytes that are escaped: each run of backslashes
  ;; that begins at an even bit, or one that is pending, is subtracted from the odd bits,
  ;; which carries to its end. What that differs in from the backslashes is escaped.
  (func $run_ends (param $slashes i32) (param $pending i32) (result i32)
    (i32.xor
      (i32.sub
        (i32.or
          (i32.shl (call $not_in (local.get $slashes) (local.get $pending)) (i32.const 1))
          (i32.const 0xAAAAAAAA))
        (call $not_in (local.get $slashes) (local.get $pending)))
      (i32.const 0xAAAAAAAA)))

  ;; mistakes is not zero where bytes are no UTF-8, by the three before each: Keiser and
  ;; Lemire, Validating UTF-8 In Less Than One Instruction Per Byte (2021). A bit for each
  ;; error that two bytes side by side can show, by three of their halves; then where a third
  ;; and a fourth byte must stand.
  (func $mistakes (param $third v128) (param $second v128) (param $first v128) (param $v v128) (param $nibble v128) (result v128)
    (v128.xor
      (v128.and
        (v128.and
          (i8x16.swizzle
            (v128.const i8x16 0x02 0x02 0x02 0x02 0x02 0x02 0x02 0x02 0x80 0x80 0x80 0x80 0x21 0x01 0x15 0x49)
            (v128.and (i16x8.shr_u (local.get $first) (i32.const 4)) (local.get $nibble)))
          (i8x16.swizzle
            (v128.const i8x16 0xE7 0xA3 0x83 0x83 0x8B 0xCB 0xCB 0xCB 0xCB 0xCB 0xCB 0xCB 0xCB 0xDB 0xCB 0xCB)
            (v128.and (local.get $first) (local.get $nibble))))
        (i8x16.swizzle
          (v128.const i8x16 0x01 0x01 0x01 0x01 0x01 0x01 0x01 0x01 0xE6 0xAE 0xBA 0xBA 0x01 0x01 0x01 0x01)
          (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $nibble))))
      (v128.and
        (v128.or
          (i8x16.sub_sat_u
            (local.get $second)
            (v128.const i64x2 0x6060606060606060 0x6060606060606060))
          (i8x16.sub_sat_u
            (local.get $third)
            (v128.const i64x2 0x7070707070707070 0x7070707070707070)))
        (v128.const i64x2 0x8080808080808080 0x8080808080808080))))

  ;; ends is not zero at a delete, and at the slash of "</".
  (func $ends (param $v v128) (param $first v128) (param $delete v128) (param $slash v128) (param $less v128) (result v128)
    (v128.or
      (i8x16.eq (local.get $v) (local.get $delete))
      (v128.and
        (i8x16.eq (local.get $v) (local.get $slash))
        (i8x16.eq (local.get $first) (local.get $less)))))

  ;; no_escapes is not zero where one of four escapes does not begin: a has the first
  ;; sixteen of their bytes, b the last.
  (func $no_escapes (param $a v128) (param $b v128) (result v128)
    (v128.or
      (v128.and
        (v128.xor (local.get $a) (v128.const i8x16 0x5C 0x75 0 0 0 0 0x5C 0x75 0 0 0 0 0x5C 0x75 0 0))
        (v128.const i8x16 0xFF 0xFF 0 0 0 0 0xFF 0xFF 0 0 0 0 0xFF 0xFF 0 0))
      (v128.and
        (v128.xor (local.get $b) (v128.const i8x16 0 0 0 0 0 0 0 0 0 0 0x5C 0x75 0 0 0 0))
        (v128.const i8x16 0 0 0 0 0 0 0 0 0 0 0xFF 0xFF 0 0 0 0))))

  ;; digits has those of four escapes.
  (func $digits (param $p i32) (result v128)
    (v128.load32_lane offset=20 3 (local.get $p)
      (v128.load32_lane offset=14 2 (local.get $p)
        (v128.load32_lane offset=8 1 (local.get $p)
          (v128.load32_zero offset=2 (local.get $p))))))

  ;; shorter is not zero where an escape with these digits is not that of a character of
  ;; three bytes, or of one from U+D000 on: the first digit is 0 or D.
  (func $shorter (param $digits v128) (result v128)
    (v128.or
      (i32x4.eq
        (v128.and (local.get $digits) (v128.const i64x2 0x000000FF000000FF 0x000000FF000000FF))
        (v128.const i64x2 0x0000003000000030 0x0000003000000030))
      (i32x4.eq
        (v128.and (local.get $digits) (v128.const i64x2 0x000000DF000000DF 0x000000DF000000DF))
        (v128.const i64x2 0x0000004400000044 0x0000004400000044))))

  ;; leads is not zero at C2 and E2: what begins all other controls, but not only those.
  (func $leads (param $v v128) (param $space v128) (result v128)
    (i8x16.eq
      (v128.or (local.get $v) (local.get $space))
      (v128.const i64x2 0xE2E2E2E2E2E2E2E2 0xE2E2E2E2E2E2E2E2)))

  ;; text_end passes over printable ASCII, well-formed UTF-8 and escapes, but for that
  ;; of a slash, and those of control characters in hexadecimal digits that no others
  ;; are beside, from start on, a boundary. It returns the offset from start of the quote
  ;; that ends the text, or of a boundary not far before the first byte that is none of
  ;; these, and in the upper half how many bytes the escapes save, with the sign bit if
  ;; any was in hexadecimal digits. If it is watched for what may be warned of, the bit below
  ;; the sign says that there may be any that is not in such digits. What is read is up to 31
  ;; bytes behind the first zero.
  (func (export "simd_text_end") (param $start i32) (param $watched i32) (result i64)
    (local $p i32) (local $a v128) (local $b v128)
    (local $quote v128) (local $backslash v128) (local $space v128) (local $nibble v128)
    (local $n v128) (local $t v128) (local $less v128) (local $slash v128) (local $delete v128)
    (local $before i32)    ;; the address of bytes before those at hand
    (local $high i32)      ;; whether there is UTF-8 among the bytes at hand
    (local $slashes i32)   ;; masks of them, a bit for each: backslashes,
    (local $quotes i32)    ;; quotes,
    (local $escaped i32)   ;; those that a backslash stands for,
    (local $bad i32)       ;; those that may not stand there,
    (local $stop i32)      ;; those and the quotes that no backslash is before
    (local $sequence i32)  ;; whether the block before has bytes of UTF-8
    (local $pending i32)   ;; whether its last byte begins an escape
    (local $begun i32)     ;; what pending was at the block's beginning
    (local $escapes i32)   ;; for how many turns of a loop escapes are still expected
    (local $others i32)    ;; and for how many what only the loop at hand knows
    (local $saved i32)
    (local $foreign i32)   ;; the sign bit, if there was an escape in hexadecimal digits
    (local $warned v128)   ;; not zero where there was "</", a delete, or what begins other controls
    (local $controls i32)  ;; the escapes of controls that have letters
    (local $first i32)     ;; the first byte that stops it, or how many escapes are passed
    ;; Of four escapes: their first and their last bytes, marks, and bits for each.
    (local $c v128) (local $next v128) (local $letters v128) (local $digits v128)
    (local $ascii i32) (local $low i32) (local $pairs i32)
    (local.set $p (local.get $start))
    (local.set $quote (i8x16.splat (i32.const 0x22)))
    (local.set $backslash (i8x16.splat (i32.const 0x5C)))
    (local.set $space (i8x16.splat (i32.const 0x20)))
    (local.set $nibble (i8x16.splat (i32.const 0x0F)))
    (local.set $less (i8x16.splat (i32.const 0x3C)))
    (local.set $slash (i8x16.splat (i32.const 0x2F)))
    (local.set $delete (i8x16.splat (i32.const 0x7F)))
    (local.set $n (i8x16.splat (i32.const 0x6E)))
    (local.set $t (i8x16.splat (i32.const 0x74)))

    (block $found (loop $ascii
      (local.set $before (i32.sub (local.get $p) (i32.const 1)))
      (local.set $b (v128.load offset=17 (local.get $before)))
      (local.set $a (v128.load offset=1 (local.get $before)))
      (if (local.get $watched)
        (then (local.set $warned (v128.or (local.get $warned) (v128.or
          (call $ends (local.get $b) (v128.load offset=16 (local.get $before)) (local.get $delete) (local.get $slash) (local.get $less))
          (call $ends (local.get $a) (v128.load (local.get $before)) (local.get $delete) (local.get $slash) (local.get $less)))))))
      ;; Signed, so that the bytes of UTF-8 are below too.
      (local.set $c (i8x16.gt_s (local.get $space) (i8x16.min_s (local.get $a) (local.get $b))))
      (if (i32.eqz (local.get $escapes))
        (then (if (i32.eqz (v128.any_true (v128.or
            (v128.or
              (v128.or
                (i8x16.eq (local.get $a) (local.get $quote))
                (i8x16.eq (local.get $b) (local.get $quote)))
              (v128.or
                (i8x16.eq (local.get $a) (local.get $backslash))
                (i8x16.eq (local.get $b) (local.get $backslash))))
            (local.get $c))))
          (then
            (local.set $p (i32.add (local.get $p) (i32.const 32)))
            (br $ascii)))))

      ;; Of escapes these are the most frequent: \" \\ \n \t. Where one was there are more: a
      ;; jump that cannot be foretold costs more than to look for them in vain.
      (if (i32.eqz (v128.any_true (local.get $c)))
        (then
          (local.set $slashes (call $bits
            (i8x16.eq (local.get $a) (local.get $backslash))
            (i8x16.eq (local.get $b) (local.get $backslash))))
          (local.set $quotes (call $bits
            (i8x16.eq (local.get $a) (local.get $quote))
            (i8x16.eq (local.get $b) (local.get $quote))))
          (local.set $stop (call $run_ends (local.get $slashes) (local.get $pending)))
          (local.set $escaped (i32.xor (local.get $stop) (i32.or (local.get $slashes) (local.get $pending))))
          (local.set $bad (call $not_in (local.get $escaped) (i32.or
            (i32.or (local.get $slashes) (local.get $quotes))
            (call $bits
              (v128.or (i8x16.eq (local.get $a) (local.get $n)) (i8x16.eq (local.get $a) (local.get $t)))
              (v128.or (i8x16.eq (local.get $b) (local.get $n)) (i8x16.eq (local.get $b) (local.get $t)))))))
          (if (i32.eqz (local.get $bad))
            (then
              (local.set $pending (i32.shr_u (i32.and (local.get $stop) (local.get $slashes)) (i32.const 31)))
              (local.set $stop (call $not_in (local.get $quotes) (local.get $escaped)))
              (br_if $found (local.get $stop))
              (local.set $saved (i32.add (local.get $saved) (i32.popcnt (local.get $escaped))))
              (local.set $p (i32.add (local.get $p) (i32.const 32)))
              (local.set $escapes (select
                (i32.const 16)
                (i32.sub (local.get $escapes) (i32.ne (local.get $escapes) (i32.const 0)))
                (local.get $slashes)))
              (br $ascii)))))

      ;; The same with UTF-8.
      (local.set $others (i32.const 4))
      (block $careful (loop $utf8
        (local.set $before (i32.sub (local.get $p) (i32.const 3)))
        (local.set $b (v128.load offset=19 (local.get $before)))
        (local.set $a (v128.load offset=3 (local.get $before)))
        (if (local.get $watched)
          (then (local.set $warned (v128.or (local.get $warned) (v128.or
            (v128.or
              (call $leads (local.get $b) (local.get $space))
              (call $ends (local.get $b) (v128.load offset=18 (local.get $before)) (local.get $delete) (local.get $slash) (local.get $less)))
            (v128.or
              (call $leads (local.get $a) (local.get $space))
              (call $ends (local.get $a) (v128.load offset=2 (local.get $before)) (local.get $delete) (local.get $slash) (local.get $less))))))))
        (br_if $careful (v128.any_true (v128.or
          (i8x16.gt_u (local.get $space) (i8x16.min_u (local.get $a) (local.get $b)))
          (v128.or
            (call $mistakes
              (v128.load offset=16 (local.get $before)) (v128.load offset=17 (local.get $before)) (v128.load offset=18 (local.get $before))
              (local.get $b) (local.get $nibble))
            (call $mistakes
              (v128.load (local.get $before)) (v128.load offset=1 (local.get $before)) (v128.load offset=2 (local.get $before))
              (local.get $a) (local.get $nibble))))))
        (local.set $slashes (call $bits
          (i8x16.eq (local.get $a) (local.get $backslash))
          (i8x16.eq (local.get $b) (local.get $backslash))))
        (local.set $quotes (call $bits
          (i8x16.eq (local.get $a) (local.get $quote))
          (i8x16.eq (local.get $b) (local.get $quote))))
        (local.set $stop (call $run_ends (local.get $slashes) (local.get $pending)))
        (local.set $escaped (i32.xor (local.get $stop) (i32.or (local.get $slashes) (local.get $pending))))
        (local.set $bad (call $not_in (local.get $escaped) (i32.or
          (i32.or (local.get $slashes) (local.get $quotes))
          (call $bits
            (v128.or (i8x16.eq (local.get $a) (local.get $n)) (i8x16.eq (local.get $a) (local.get $t)))
            (v128.or (i8x16.eq (local.get $b) (local.get $n)) (i8x16.eq (local.get $b) (local.get $t)))))))
        (br_if $careful (local.get $bad))
        (local.set $pending (i32.shr_u (i32.and (local.get $stop) (local.get $slashes)) (i32.const 31)))
        (local.set $stop (call $not_in (local.get $quotes) (local.get $escaped)))
        (br_if $found (local.get $stop))
        (local.set $saved (i32.add (local.get $saved) (i32.popcnt (local.get $escaped))))
        (local.set $p (i32.add (local.get $p) (i32.const 32)))
        (local.set $sequence (i8x16.bitmask (local.get $b)))
        (local.set $escapes (select (i32.const 16) (i32.const 0) (local.get $slashes)))
        (local.set $others (select (i32.const 4) (i32.sub (local.get $others) (i32.const 1)) (local.get $sequence)))
        (br_if $utf8 (local.get $others))
        (br $ascii)))

      ;; All else is passed over sixteen bytes at a time, and so is what is near it.
      (local.set $others (i32.const 16))
      (loop $block
        (local.set $before (i32.sub (local.get $p) (i32.const 3)))
        (local.set $a (v128.load offset=3 (local.get $before)))
        (local.set $b (v128.load offset=2 (local.get $before)))
        (local.set $high (i8x16.bitmask (local.get $a)))
        (local.set $slashes (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $backslash))))
        (local.set $quotes (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $quote))))
        (local.set $bad (call $not_in
          (i8x16.bitmask (i8x16.gt_s (local.get $space) (local.get $a)))
          (local.get $high)))
        (local.set $begun (local.get $pending))
        (if (local.get $watched)
          (then (local.set $warned (v128.or (local.get $warned)
            (call $ends (local.get $a) (local.get $b) (local.get $delete) (local.get $slash) (local.get $less))))))

        (local.set $stop (call $run_ends (local.get $slashes) (local.get $pending)))
        (local.set $escaped (i32.and
          (i32.xor (local.get $stop) (i32.or (local.get $slashes) (local.get $pending)))
          (i32.const 0xFFFF)))
        (local.set $pending (i32.shr_u (i32.and (local.get $stop) (local.get $slashes)) (i32.const 15)))
        (if (call $not_in (local.get $escaped) (i32.or
              (i32.or (local.get $slashes) (local.get $quotes))
              (i8x16.bitmask (v128.or
                (i8x16.eq (local.get $a) (local.get $n))
                (i8x16.eq (local.get $a) (local.get $t))))))
          (then
            ;; Of those that may follow a backslash only b, f and r have these bits so.
            (local.set $controls (i32.or (local.get $controls) (i32.and (local.get $escaped)
              (i8x16.bitmask (i8x16.eq
                (v128.and (local.get $a) (v128.const i64x2 0x4A4A4A4A4A4A4A4A 0x4A4A4A4A4A4A4A4A))
                (v128.const i64x2 0x4242424242424242 0x4242424242424242))))))
            ;; A byte is one of "\bfnrt if its two halves have a bit in common.
            (local.set $bad (i32.or (local.get $bad) (i32.and (local.get $escaped)
              (i8x16.bitmask (i8x16.eq
                (v128.and
                  (i8x16.swizzle
                    (v128.const i8x16 0 0 0x0D 0 0x08 0 0x04 0 0 0 0 0 0x02 0 0x04 0)
                    (v128.and (local.get $a) (local.get $nibble)))
                  (i8x16.swizzle
                    (v128.const i8x16 0 0 0x01 0 0 0x02 0x04 0x08 0 0 0 0 0 0 0 0)
                    (v128.and (i16x8.shr_u (local.get $a) (i32.const 4)) (local.get $nibble))))
                (v128.const i64x2 0 0))))))))

        (if (i32.or (local.get $high) (local.get $sequence))
          (then
            (if (local.get $watched)
              (then (local.set $warned (v128.or (local.get $warned) (call $leads (local.get $a) (local.get $space))))))
            (local.set $bad (i32.or (local.get $bad) (i32.xor (i32.const 0xFFFF)
              (i8x16.bitmask (i8x16.eq (v128.const i64x2 0 0) (call $mistakes
                (v128.load (local.get $before)) (v128.load offset=1 (local.get $before)) (local.get $b)
                (local.get $a) (local.get $nibble)))))))))

        (local.set $stop (i32.or (local.get $bad) (call $not_in (local.get $quotes) (local.get $escaped))))
        (if (i32.eqz (local.get $stop))
          (then
            (local.set $saved (i32.add (local.get $saved) (i32.popcnt (local.get $escaped))))
            (local.set $p (i32.add (local.get $p) (i32.const 16)))
            (local.set $sequence (local.get $high))
            (local.set $escapes (select (i32.const 16) (i32.const 0) (local.get $slashes)))
            (local.set $others (i32.sub (local.get $others) (i32.ne (local.get $others) (i32.const 0))))
            (br_if $block (i32.or (local.get $others) (local.get $sequence)))
            (br $ascii)))

        ;; An escape in hexadecimal digits: they come in rows, so four at once.
        (local.set $first (i32.ctz (local.get $stop)))
        (if (i32.and
              (i32.shr_u (local.get $escaped) (local.get $first))
              (i32.eq (i32.load8_u (i32.add (local.get $p) (local.get $first))) (i32.const 0x75)))
          (then
            (local.set $saved (i32.add (local.get $saved) (i32.popcnt (i32.and
              (local.get $escaped)
              (i32.sub (i32.shl (i32.const 1) (local.get $first)) (i32.const 1))))))
            (local.set $p (i32.sub (i32.add (local.get $p) (local.get $first)) (i32.const 1)))
            (block $end (loop $row
              (local.set $next (v128.load offset=8 (local.get $p)))
              (local.set $c (v128.load (local.get $p)))
              (local.set $a (call $digits (local.get $p)))
              (local.set $letters (i8x16.lt_u
                (i8x16.sub
                  (v128.or (local.get $a) (local.get $space))
                  (v128.const i64x2 0x6161616161616161 0x6161616161616161))
                (v128.const i64x2 0x0606060606060606 0x0606060606060606)))
              (local.set $digits (v128.or
                (local.get $letters)
                (i8x16.lt_u
                  (i8x16.sub (local.get $a) (v128.const i64x2 0x3030303030303030 0x3030303030303030))
                  (v128.const i64x2 0x0A0A0A0A0A0A0A0A 0x0A0A0A0A0A0A0A0A))))
              ;; In Chinese or Japanese all take three bytes.
              (if (i32.eqz (v128.any_true (v128.or
                    (v128.or
                      (call $no_escapes (local.get $c) (local.get $next))
                      (v128.not (local.get $digits)))
                    (call $shorter (local.get $a)))))
                (then
                  (local.set $foreign (i32.const 0x80000000))
                  (local.set $saved (i32.add (local.get $saved) (i32.const 12)))
                  (local.set $p (i32.add (local.get $p) (i32.const 24)))
                  (br $row)))
              ;; What they stand for: the halves of bytes, the bytes, in 16 bits each.
              (local.set $a (i8x16.add
                (v128.and (local.get $a) (local.get $nibble))
                (v128.and (local.get $letters) (v128.const i64x2 0x0909090909090909 0x0909090909090909))))
              (local.set $a (i8x16.swizzle
                (v128.or (i16x8.shl (local.get $a) (i32.const 4)) (i16x8.shr_u (local.get $a) (i32.const 8)))
                (v128.const i8x16 2 0 6 4 10 8 14 12 16 16 16 16 16 16 16 16)))
              ;; How many are below U+0080, and below U+0800, four zeros beside them each time.
              (local.set $ascii (i16x8.bitmask (i16x8.eq
                (v128.and (local.get $a) (v128.const i64x2 0xFF80FF80FF80FF80 0xFF80FF80FF80FF80))
                (v128.const i64x2 0 0))))
              (local.set $b (v128.and (local.get $a) (v128.const i64x2 0xF800F800F800F800 0xF800F800F800F800)))
              ;; In other scripts most often all four are right, and one is no ASCII.
              (if (i32.and
                    (i32.and
                      (i8x16.all_true (local.get $digits))
                      (i32.ne (local.get $ascii) (i32.const 0xFF)))
                    (i32.eqz (v128.any_true (v128.or
                      (call $no_escapes (local.get $c) (local.get $next))
                      (i16x8.eq (local.get $b) (v128.const i64x2 0xD800D800D800D800 0xD800D800D800D800))))))
                (then
                  (local.set $foreign (i32.const 0x80000000))
                  (local.set $saved (i32.add (local.get $saved) (i32.add (i32.const 4) (i32.add
                    (i32.popcnt (local.get $ascii))
                    (i32.popcnt (i16x8.bitmask (i16x8.eq (local.get $b) (v128.const i64x2 0 0))))))))
                  (local.set $p (i32.add (local.get $p) (i32.const 24)))
                  (br $row)))
              ;; Else a bit for each that is right. Surrogates count only in pairs.
              (local.set $escaped (i32.and
                (i16x8.bitmask (i16x8.eq
                  (i8x16.shuffle 0 1 6 7 12 13 26 27 0 1 6 7 12 13 26 27 (local.get $c) (local.get $next))
                  (v128.const i64x2 0x755C755C755C755C 0x755C755C755C755C)))
                (i32x4.bitmask (i32x4.eq (local.get $digits) (v128.const i64x2 -1 -1)))))
              (local.set $c (v128.and (local.get $a) (v128.const i64x2 0xFC00FC00FC00FC00 0xFC00FC00FC00FC00)))
              (local.set $high (i32.and (local.get $escaped)
                (i16x8.bitmask (i16x8.eq (local.get $c) (v128.const i64x2 0xD800D800D800D800 0xD800D800D800D800)))))
              (local.set $low (i32.and (local.get $escaped)
                (i16x8.bitmask (i16x8.eq (local.get $c) (v128.const i64x2 0xDC00DC00DC00DC00 0xDC00DC00DC00DC00)))))
              (local.set $pairs (i32.or (local.get $high) (local.get $low)))
              (local.set $escaped (i32.or
                (i32.and (local.get $escaped) (i32.xor (local.get $pairs) (i32.const -1)))
                (i32.or
                  (i32.and (local.get $high) (i32.shr_u (local.get $low) (i32.const 1)))
                  (i32.and (local.get $low) (i32.shl (local.get $high) (i32.const 1))))))
              ;; $stop has the first of them that are right; one at least is U+0020 or
              ;; above, or it is left to the twin to say which form it is.
              (local.set $first (i32.ctz (i32.xor (local.get $escaped) (i32.const -1))))
              (local.set $stop (i32.sub (i32.shl (i32.const 1) (local.get $first)) (i32.const 1)))
              (br_if $end (i32.eqz (i32.and (local.get $stop)
                (i16x8.bitmask (i16x8.gt_u (local.get $a) (v128.const i64x2 0x001F001F001F001F 0x001F001F001F001F))))))
              (local.set $foreign (i32.const 0x80000000))
              ;; Of six bytes each saves three and those that are shorter more; a surrogate is half
              ;; of four bytes.
              (local.set $saved (i32.add
                (i32.add (local.get $saved) (i32.mul (local.get $first) (i32.const 3)))
                (i32.add
                  (i32.popcnt (i32.and (local.get $stop) (local.get $ascii)))
                  (i32.popcnt (i32.and (local.get $stop) (i32.or
                    (local.get $pairs)
                    (i16x8.bitmask (i16x8.eq (local.get $b) (v128.const i64x2 0 0)))))))))
              (local.set $p (i32.add (local.get $p) (i32.mul (local.get $first) (i32.const 6))))
              (br_if $row (i32.eq (local.get $first) (i32.const 4)))))
            (local.set $sequence (i32.const 0))
            (local.set $pending (i32.const 0))
            (local.set $others (i32.const 16))
            (br_if $block (i32.ne (i32.load16_u (local.get $p)) (i32.const 0x755C)))
            (return (i64.or
              (i64.extend_i32_u (i32.sub (local.get $p) (local.get $start)))
              (i64.shl
                (i64.extend_i32_u (i32.or (local.get $saved)
                  (i32.or (local.get $foreign) (i32.shl (local.get $watched) (i32.const 30)))))
                (i64.const 32)))))))))

    ;; The bits up to the first that stops it.
    (local.set $stop (i32.xor (local.get $stop) (i32.sub (local.get $stop) (i32.const 1))))
    (if (i32.and (local.get $stop) (local.get $bad))
      (then
        ;; Back to the boundary before the block.
        (if (i32.or (local.get $begun) (i32.ge_u (i32.load8_u (i32.sub (local.get $p) (i32.const 1))) (i32.const 0xC0)))
          (then (local.set $p (i32.sub (local.get $p) (i32.const 1))))
          (else (if (i32.ge_u (i32.load8_u (i32.sub (local.get $p) (i32.const 2))) (i32.const 0xE0))
            (then (local.set $p (i32.sub (local.get $p) (i32.const 2))))
            (else (if (i32.ge_u (i32.load8_u (i32.sub (local.get $p) (i32.const 3))) (i32.const 0xF0))
              (then (local.set $p (i32.sub (local.get $p) (i32.const 3)))))))))
        (if (i32.lt_u (local.get $p) (local.get $start))
          (then (local.set $p (local.get $start)))))
      (else
        (local.set $saved (i32.add (local.get $saved) (i32.popcnt (i32.and (local.get $escaped) (local.get $stop)))))
        (local.set $p (i32.add (local.get $p) (i32.sub (i32.popcnt (local.get $stop)) (i32.const 1))))))
    (if (local.get $watched)
      (then (local.set $watched (i32.or
        (v128.any_true (local.get $warned))
        (i32.ne (local.get $controls) (i32.const 0))))))
    (i64.or
      (i64.extend_i32_u (i32.sub (local.get $p) (local.get $start)))
      (i64.shl
        (i64.extend_i32_u (i32.or (local.get $saved)
          (i32.or (local.get $foreign) (i32.shl (local.get $watched) (i32.const 30)))))
        (i64.const 32))))

  ;; rewrite moves a part of a well-formed raw string down, from $from to $to, as the
  ;; output writes it. It stops at the escape, in hexadecimal digits, of a surrogate, a
  ;; quote, a backslash or a control character that has no letter, and where less than 24
  ;; bytes are left. It returns how many bytes it has read, and in the upper half how many
  ;; it has written.
  (func (export "simd_rewrite") (param $to i32) (param $from i32) (param $end i32) (result i64)
    (local $write i32) (local $p i32) (local $n i32) (local $c i32) (local $v i32) (local $w i64)
    (local $a v128) (local $b v128) (local $t v128)
    (local.set $write (local.get $to))
    (local.set $p (local.get $from))
    (local.set $end (i32.sub (local.get $end) (i32.const 24)))
    (block $done (loop $next
      (br_if $done (i32.gt_s (local.get $p) (local.get $end)))
      (local.set $w (i64.load (local.get $p)))
      (if (i64.ne (i64.and (local.get $w) (i64.const 0xFF)) (i64.const 0x5C))
        (then
          ;; Sixteen bytes, of which only those before the first backslash count, go nowhere,
          ;; or so far down that nothing is spoilt.
          (if (i32.lt_u (i32.sub (i32.sub (local.get $p) (local.get $write)) (i32.const 1)) (i32.const 15))
            (then
              (i32.store8 (local.get $write) (i32.wrap_i64 (local.get $w)))
              (local.set $n (i32.const 1)))
            (else
              (local.set $a (v128.load (local.get $p)))
              (v128.store (local.get $write) (local.get $a))
              (local.set $n (i32.ctz (i32.or (i32.const 0x10000) (i8x16.bitmask (i8x16.eq
                (local.get $a)
                (v128.const i64x2 0x5C5C5C5C5C5C5C5C 0x5C5C5C5C5C5C5C5C))))))))
          (local.set $write (i32.add (local.get $write) (local.get $n)))
          (local.set $p (i32.add (local.get $p) (local.get $n)))
          (br $next)))

      (local.set $c (i32.load8_u offset=1 (local.get $p)))
      (if (i32.ne (local.get $c) (i32.const 0x75))
        (then
          (if (i32.ne (local.get $c) (i32.const 0x2F))
            (then
              (i32.store8 (local.get $write) (i32.const 0x5C))
              (local.set $write (i32.add (local.get $write) (i32.const 1)))))
          (i32.store8 (local.get $write) (local.get $c))
          (local.set $write (i32.add (local.get $write) (i32.const 1)))
          (local.set $p (i32.add (local.get $p) (i32.const 2)))
          (br $next)))

      ;; Four characters of three bytes each: from U+1000 on but for U+D000 to U+DFFF.
      (local.set $b (v128.load offset=8 (local.get $p)))
      (local.set $a (v128.load (local.get $p)))
      (local.set $t (call $digits (local.get $p)))
      (if (i32.eqz (v128.any_true (v128.or
            (call $no_escapes (local.get $a) (local.get $b))
            (call $shorter (local.get $t)))))
        (then
          ;; Halves of bytes: a letter has bit 6, and is 9 more than its low half.
          (local.set $t (i8x16.add
            (v128.and (local.get $t) (v128.const i64x2 0x0F0F0F0F0F0F0F0F 0x0F0F0F0F0F0F0F0F))
            (v128.and
              (i8x16.gt_u (local.get $t) (v128.const i64x2 0x3F3F3F3F3F3F3F3F 0x3F3F3F3F3F3F3F3F))
              (v128.const i64x2 0x0909090909090909 0x0909090909090909))))
          (local.set $b (v128.or (i32x4.shl (local.get $t) (i32.const 4)) (i32x4.shr_u (local.get $t) (i32.const 8))))
          (v128.store (local.get $write) (i8x16.swizzle
            (v128.or
              (v128.or
                (v128.and (local.get $t) (v128.const i64x2 0x0000000F0000000F 0x0000000F0000000F))
                (v128.and
                  (i32x4.shr_u (local.get $b) (i32.const 2))
                  (v128.const i64x2 0x00003F0000003F00 0x00003F0000003F00)))
              (v128.or
                (v128.and (local.get $b) (v128.const i64x2 0x003F0000003F0000 0x003F0000003F0000))
                (v128.const i64x2 0x008080E0008080E0 0x008080E0008080E0)))
            (v128.const i8x16 0 1 2 4 5 6 8 9 10 12 13 14 16 16 16 16)))
          (local.set $write (i32.add (local.get $write) (i32.const 12)))
          (local.set $p (i32.add (local.get $p) (i32.const 24)))
          (br $next)))

      ;; One character.
      (local.set $w (i64.shr_u (local.get $w) (i64.const 16)))
      (local.set $v (i32.add
        (i32.and (i32.wrap_i64 (local.get $w)) (i32.const 0x0F0F0F0F))
        (i32.mul
          (i32.and (i32.shr_u (i32.wrap_i64 (local.get $w)) (i32.const 6)) (i32.const 0x01010101))
          (i32.const 9))))
      (local.set $v (i32.or (i32.shl (local.get $v) (i32.const 4)) (i32.shr_u (local.get $v) (i32.const 8))))
      (local.set $v (i32.or
        (i32.shl (i32.and (local.get $v) (i32.const 0xFF)) (i32.const 8))
        (i32.and (i32.shr_u (local.get $v) (i32.const 16)) (i32.const 0xFF))))
      (block $one
        (if (i32.ge_u (local.get $v) (i32.const 0x800))
          (then
            (br_if $done (i32.eq (i32.shr_u (local.get $v) (i32.const 11)) (i32.const 0x1B)))
            (i32.store (local.get $write) (i32.or
              (i32.or (i32.shr_u (local.get $v) (i32.const 12)) (i32.const 0x8080E0))
              (i32.or
                (i32.shl (i32.and (local.get $v) (i32.const 0xFC0)) (i32.const 2))
                (i32.shl (i32.and (local.get $v) (i32.const 0x3F)) (i32.const 16)))))
            (local.set $n (i32.const 3))
            (br $one)))
        (if (i32.ge_u (local.get $v) (i32.const 0x80))
          (then
            (i32.store16 (local.get $write) (i32.or
              (i32.or (i32.shr_u (local.get $v) (i32.const 6)) (i32.const 0x80C0))
              (i32.shl (i32.and (local.get $v) (i32.const 0x3F)) (i32.const 8))))
            (local.set $n (i32.const 2))
            (br $one)))
        (if (i32.ge_u (local.get $v) (i32.const 0x20))
          (then
            (br_if $done (i32.or
              (i32.eq (local.get $v) (i32.const 0x22))
              (i32.eq (local.get $v) (i32.const 0x5C))))
            (i32.store8 (local.get $write) (local.get $v))
            (local.set $n (i32.const 1))
            (br $one)))
        ;; \b \t \n \f \r
        (br_if $done (i32.eqz (i32.and (i32.shr_u (i32.const 0x3700) (local.get $v)) (i32.const 1))))
        (i32.store8 (local.get $write) (i32.const 0x5C))
        (i64.store8 offset=1 (local.get $write) (i64.shr_u
          (i64.const 0x7266006E7462)
          (i64.extend_i32_u (i32.shl (i32.sub (local.get $v) (i32.const 8)) (i32.const 3)))))
        (local.set $n (i32.const 2)))
      (local.set $write (i32.add (local.get $write) (local.get $n)))
      (local.set $p (i32.add (local.get $p) (i32.const 6)))
      (br $next)))
    (i64.or
      (i64.extend_i32_u (i32.sub (local.get $p) (local.get $from)))
      (i64.shl (i64.extend_i32_u (i32.sub (local.get $write) (local.get $to))) (i64.const 32))))

  ;; equal reports whether the n bytes at a and at b are the same; n is 16 or more.
  (func (export "simd_equal") (param $a i32) (param $b i32) (param $n i32) (result i32)
    (local $last i32)
    (local.set $last (i32.sub (i32.add (local.get $a) (local.get $n)) (i32.const 16)))
    (loop $lines
      (if (i32.lt_u (i32.add (local.get $a) (i32.const 48)) (local.get $last))
        (then
          (if (v128.any_true (v128.or
                (v128.or
                  (v128.xor (v128.load offset=48 (local.get $a)) (v128.load offset=48 (local.get $b)))
                  (v128.xor (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b))))
                (v128.or
                  (v128.xor (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b)))
                  (v128.xor (v128.load (local.get $a)) (v128.load (local.get $b))))))
            (then (return (i32.const 0))))
          (local.set $a (i32.add (local.get $a) (i32.const 64)))
          (local.set $b (i32.add (local.get $b) (i32.const 64)))
          (br $lines))))
    (loop $blocks
      (if (i32.lt_u (local.get $a) (local.get $last))
        (then
          (if (v128.any_true (v128.xor (v128.load (local.get $a)) (v128.load (local.get $b))))
            (then (return (i32.const 0))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (br $blocks))))
    ;; The last sixteen, some of them a second time.
    (i32.eqz (v128.any_true (v128.xor
      (v128.load (local.get $last))
      (v128.load (i32.add (local.get $b) (i32.sub (local.get $last) (local.get $a))))))))

  ;; control_at passes over what is no control and cannot be taken for one. It
  ;; returns an offset up to which there is none. It is no boundary: it may stand in
  ;; a character of several bytes, or in a run of backslashes. Short is the last part
  ;; that is not looked at, of less than 18 bytes.
  (func (export "simd_control_at") (param $text i32) (param $n i32) (result i32)
    (local $p i32) (local $end i32)
    (local $v v128) (local $next v128) (local $third v128) (local $found i32)
    (local $backslash v128) (local $four v128)
    (local.set $backslash (i8x16.splat (i32.const 0x5C)))
    (local.set $four (i8x16.splat (i32.const 4)))
    (local.set $p (local.get $text))
    (local.set $end (i32.sub (i32.add (local.get $text) (local.get $n)) (i32.const 18)))
    (loop $blocks
      (if (i32.le_u (local.get $p) (local.get $end))
        (then
          (local.set $v (v128.load (local.get $p)))
          (local.set $next (v128.load offset=1 (local.get $p)))
          (local.set $found (v128.any_true (v128.or
            (i8x16.eq (local.get $v) (v128.const i64x2 0x7F7F7F7F7F7F7F7F 0x7F7F7F7F7F7F7F7F))
            (v128.and
              (i8x16.eq (local.get $v) (local.get $backslash))
              (v128.or
                (i8x16.eq (v128.or (local.get $next) (local.get $four)) (v128.const i64x2 0x6666666666666666 0x6666666666666666))
                (v128.or
                  (i8x16.eq (local.get $next) (v128.const i64x2 0x7272727272727272 0x7272727272727272))
                  (i8x16.eq (local.get $next) (v128.const i64x2 0x7575757575757575 0x7575757575757575))))))))
          (if (i8x16.bitmask (local.get $v))
            (then
              (local.set $third (v128.load offset=2 (local.get $p)))
              (local.set $found (i32.or (local.get $found) (v128.any_true (v128.or
                (v128.and
                  (i8x16.eq (local.get $v) (v128.const i64x2 0xC2C2C2C2C2C2C2C2 0xC2C2C2C2C2C2C2C2))
                  (i8x16.lt_s (local.get $next) (v128.const i64x2 0xA0A0A0A0A0A0A0A0 0xA0A0A0A0A0A0A0A0)))
                (v128.and
                  (i8x16.eq (local.get $v) (v128.const i64x2 0xE2E2E2E2E2E2E2E2 0xE2E2E2E2E2E2E2E2))
                  (v128.or
                    (v128.and
                      (i8x16.eq (local.get $next) (v128.const i64x2 0x8080808080808080 0x8080808080808080))
                      (v128.and
                        (i8x16.gt_s (local.get $third) (v128.const i64x2 0xA9A9A9A9A9A9A9A9 0xA9A9A9A9A9A9A9A9))
                        (i8x16.lt_s (local.get $third) (v128.const i64x2 0xAFAFAFAFAFAFAFAF 0xAFAFAFAFAFAFAFAF))))
                    (v128.and
                      (i8x16.eq (local.get $next) (v128.const i64x2 0x8181818181818181 0x8181818181818181))
                      (v128.and
                        (i8x16.gt_s (local.get $third) (v128.const i64x2 0xA5A5A5A5A5A5A5A5 0xA5A5A5A5A5A5A5A5))
                        (i8x16.lt_s (local.get $third) (v128.const i64x2 0xAAAAAAAAAAAAAAAA 0xAAAAAAAAAAAAAAAA))))))))))))
          (if (i32.eqz (local.get $found))
            (then
              (local.set $p (i32.add (local.get $p) (i32.const 16)))
              (br $blocks))))))
    (i32.sub (local.get $p) (local.get $text)))

  ;; first_of returns the offset of the first eight bytes that are "</" and, under
  ;; mask, word, or else one from which on at most 24 bytes are left.
  (func (export "simd_first_of") (param $text i32) (param $n i32) (param $word i64) (param $mask i64) (result i32)
    (local $p i32) (local $end i32) (local $marks i32) (local $less v128) (local $slash v128) (local $at i32)
    (local.set $less (i8x16.splat (i32.const 0x3C)))
    (local.set $slash (i8x16.splat (i32.const 0x2F)))
    (local.set $p (local.get $text))
    (local.set $end (i32.sub (i32.add (local.get $text) (local.get $n)) (i32.const 24)))
    (loop $blocks
      (if (i32.lt_u (local.get $p) (local.get $end))
        (then
          (local.set $marks (i8x16.bitmask (v128.and
            (i8x16.eq (v128.load (local.get $p)) (local.get $less))
            (i8x16.eq (v128.load offset=1 (local.get $p)) (local.get $slash)))))
          (loop $each
            (if (local.get $marks)
              (then
                (local.set $at (i32.add (local.get $p) (i32.ctz (local.get $marks))))
                (if (i64.eq (i64.and (i64.load (local.get $at)) (local.get $mask)) (local.get $word))
                  (then (return (i32.sub (local.get $at) (local.get $text)))))
                (local.set $marks (i32.and (local.get $marks) (i32.sub (local.get $marks) (i32.const 1))))
                (br $each))))
          (local.set $p (i32.add (local.get $p) (i32.const 16)))
          (br $blocks))))
    (i32.sub (local.get $p) (local.get $text)))

  ;; forward passes over n bytes of a canonical text, escapes resolved: all but at
  ;; most 32, or those from the first escape in hexadecimal digits on. It returns
  ;; how many bytes of the text that is, and in the upper half how many of n are left.
  (func (export "simd_forward") (param $text i32) (param $n i32) (result i64)
    (local $p i32) (local $a v128) (local $backslash v128) (local $u v128)
    (local $slashes i32) (local $pending i32) (local $code i32) (local $escaped i32)
    (local.set $p (local.get $text))
    (local.set $backslash (i8x16.splat (i32.const 0x5C)))
    (local.set $u (i8x16.splat (i32.const 0x75)))
    (block $done (loop $block
      (br_if $done (i32.lt_s (local.get $n) (i32.const 32)))
      (local.set $a (v128.load (local.get $p)))
      (local.set $slashes (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $backslash))))
      (local.set $code (i32.and (local.get $slashes) (i32.xor (local.get $pending) (i32.const -1))))
      (local.set $code (i32.xor
        (i32.sub
          (i32.or (i32.shl (local.get $code) (i32.const 1)) (i32.const 0xAAAAAAAA))
          (local.get $code))
        (i32.const 0xAAAAAAAA)))
      (local.set $escaped (i32.and
        (i32.xor (local.get $code) (i32.or (local.get $slashes) (local.get $pending)))
        (i32.const 0xFFFF)))
      (br_if $done (i32.and (local.get $escaped) (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $u)))))
      (local.set $pending (i32.shr_u (i32.and (local.get $code) (local.get $slashes)) (i32.const 15)))
      (local.set $n (i32.add (i32.sub (local.get $n) (i32.const 16)) (i32.popcnt (local.get $escaped))))
      (local.set $p (i32.add (local.get $p) (i32.const 16)))
      (br $block)))
    ;; The first half of an escape was counted.
    (i64.or
      (i64.extend_i32_u (i32.sub (i32.sub (local.get $p) (local.get $pending)) (local.get $text)))
      (i64.shl (i64.extend_i32_u (i32.add (local.get $n) (local.get $pending))) (i64.const 32))))

  ;; backward does the same from end back, as far as start.
  (func (export "simd_backward") (param $start i32) (param $end i32) (param $n i32) (result i64)
    (local $p i32) (local $a v128) (local $b v128) (local $backslash v128) (local $u v128)
    (local $slashes i32) (local $before i32) (local $pending i32) (local $escaped i32)
    (local.set $p (local.get $end))
    (local.set $start (i32.add (local.get $start) (i32.const 32)))
    (local.set $backslash (i8x16.splat (i32.const 0x5C)))
    (local.set $u (i8x16.splat (i32.const 0x75)))
    (block $done (loop $block
      (br_if $done (i32.or
        (i32.lt_s (local.get $n) (i32.const 32))
        (i32.lt_u (local.get $p) (local.get $start))))
      (local.set $a (v128.load (i32.sub (local.get $p) (i32.const 16))))
      (local.set $b (v128.load (i32.sub (local.get $p) (i32.const 32))))
      ;; Whether the block begins behind an odd run of backslashes; one of sixteen or
      ;; more is left to the twin.
      (local.set $before (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $backslash))))
      (br_if $done (i32.eq (local.get $before) (i32.const 0xFFFF)))
      (local.set $pending (i32.and (i32.const 1)
        (i32.clz (i32.xor (i32.shl (local.get $before) (i32.const 16)) (i32.const -1)))))
      (local.set $slashes (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $backslash))))
      (local.set $escaped (i32.and (local.get $slashes) (i32.xor (local.get $pending) (i32.const -1))))
      (local.set $escaped (i32.and (i32.const 0xFFFF) (i32.xor
        (i32.or (local.get $slashes) (local.get $pending))
        (i32.xor
          (i32.sub
            (i32.or (i32.shl (local.get $escaped) (i32.const 1)) (i32.const 0xAAAAAAAA))
            (local.get $escaped))
          (i32.const 0xAAAAAAAA)))))
      ;; Neither in the block nor so short before it that it ends there.
      (br_if $done (i32.or
        (i32.and (local.get $escaped) (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $u))))
        (i32.and
          (i32.and (i32.shl (local.get $before) (i32.const 1)) (i32.const 0xF800))
          (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $u))))))
      (local.set $n (i32.sub
        (i32.add (i32.sub (local.get $n) (i32.const 16)) (i32.popcnt (local.get $escaped)))
        (local.get $pending)))
      (local.set $p (i32.sub (i32.sub (local.get $p) (i32.const 16)) (local.get $pending)))
      (br $block)))
    (i64.or
      (i64.extend_i32_u (i32.sub (local.get $end) (local.get $p)))
      (i64.shl (i64.extend_i32_u (local.get $n)) (i64.const 32))))
)
