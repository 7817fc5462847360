;; A module that fails on demand. README.md says what each request does.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (import "extism:host/env" "input_length" (func $input_length (result i64)))
  (import "extism:host/env" "input_load_u8" (func $input_load_u8 (param i64) (result i32)))
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store_u8 (param i64 i32)))
  (import "extism:host/env" "output_set" (func $output_set (param i64 i64)))
  (import "extism:host/env" "error_set" (func $error_set (param i64)))

  (memory (export "memory") 1)

  ;; Texts; the lengths in the calls below are theirs. From 4096 on the memory
  ;; is for decimal digits.
  (data (i32.const 0) "broken")
  (data (i32.const 16) "{\"store\":")
  (data (i32.const 32) "{\"error\":{\"kind\":\"invalid_request\",\"code\":-32600,\"message\":\"refused\"}}")
  (data (i32.const 128)
    "{\"abi\":{\"name\":\"turncontext\",\"version\":1},\"build\":{\"version\":\"0.0.0\",\"go\":\"none\"},"
    "\"functions\":[\"classify\",\"describe\",\"guidance\",\"merge\",\"reconcile\",\"turn_set\",\"turn_start\",\"turn_steer\"],"
    "\"limits\":{\"requestBytes\":33554432,\"depth\":128,\"textChars\":1048576},\"tokenizers\":[\"approx\"]}")

  ;; How many calls this instance has had, those of describe apart.
  (global $calls (mut i32) (i32.const 0))

  (func (export "_initialize"))

  (func (export "describe") (result i32)
    (call $answer (i32.const 128) (i32.const 277)))

  (func $act (export "merge") (export "reconcile") (export "classify") (export "guidance")
        (export "turn_start") (export "turn_steer") (export "turn_set") (result i32)
    (local $what i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (if (i64.eqz (call $input_length)) (then (return (call $echo))))
    (local.set $what (call $input_load_u8 (i64.const 0)))
    (if (i32.eq (local.get $what) (i32.const 0x74)) ;; t
      (then (unreachable)))
    (if (i32.eq (local.get $what) (i32.const 0x65)) ;; e
      (then (call $proc_exit (i32.const 0)) (unreachable)))
    (if (i32.eq (local.get $what) (i32.const 0x45)) ;; E
      (then (call $proc_exit (i32.const 3)) (unreachable)))
    (if (i32.eq (local.get $what) (i32.const 0x6d)) ;; m
      (then (call $exhaust)))
    (if (i32.eq (local.get $what) (i32.const 0x6c)) ;; l
      (then (loop $for_ever (br $for_ever))))
    (if (i32.eq (local.get $what) (i32.const 0x72)) ;; r
      (then (return (call $recurse (i32.const 0)))))
    (if (i32.eq (local.get $what) (i32.const 0x66)) ;; f
      (then
        (call $error_set (call $copy (i32.const 0) (i32.const 6)))
        (return (i32.const 1))))
    (if (i32.eq (local.get $what) (i32.const 0x6a)) ;; j
      (then (return (call $answer (i32.const 16) (i32.const 9)))))
    (if (i32.eq (local.get $what) (i32.const 0x6e)) ;; n
      (then (return (i32.const 0))))
    (if (i32.eq (local.get $what) (i32.const 0x6f)) ;; o
      (then (return (call $answer (i32.const 32) (i32.const 70)))))
    (if (i32.eq (local.get $what) (i32.const 0x63)) ;; c
      (then (return (call $count))))
    (call $echo))

  ;; Grows the memory 16 MiB at a time until there is no more, and traps. Steps
  ;; of a page would take two minutes to 4 GiB in some runtimes.
  (func $exhaust
    (loop $more
      (br_if $more (i32.ne (memory.grow (i32.const 256)) (i32.const -1))))
    (unreachable))

  ;; Uses the stack up. The addition keeps the call from being a jump.
  (func $recurse (param $depth i32) (result i32)
    (i32.add
      (call $recurse (i32.add (local.get $depth) (i32.const 1)))
      (local.get $depth)))

  ;; Answers the request.
  (func $echo (result i32)
    (local $length i64)
    (local $to i64)
    (local $i i64)
    (local.set $length (call $input_length))
    (local.set $to (call $alloc (local.get $length)))
    (block $done
      (loop $next
        (br_if $done (i64.ge_u (local.get $i) (local.get $length)))
        (call $store_u8
          (i64.add (local.get $to) (local.get $i))
          (call $input_load_u8 (local.get $i)))
        (local.set $i (i64.add (local.get $i) (i64.const 1)))
        (br $next)))
    (call $output_set (local.get $to) (local.get $length))
    (i32.const 0))

  ;; Answers the number of calls, written backwards from 4112.
  (func $count (result i32)
    (local $rest i32)
    (local $at i32)
    (local.set $rest (global.get $calls))
    (local.set $at (i32.const 4112))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at)
        (i32.add (i32.const 0x30) (i32.rem_u (local.get $rest) (i32.const 10))))
      (local.set $rest (i32.div_u (local.get $rest) (i32.const 10)))
      (br_if $digit (local.get $rest)))
    (call $answer (local.get $at) (i32.sub (i32.const 4112) (local.get $at))))

  ;; Answers a text in the memory.
  (func $answer (param $from i32) (param $length i32) (result i32)
    (call $output_set
      (call $copy (local.get $from) (local.get $length))
      (i64.extend_i32_u (local.get $length)))
    (i32.const 0))

  ;; Copies a text in the memory to a block of Extism's, and returns that.
  (func $copy (param $from i32) (param $length i32) (result i64)
    (local $to i64)
    (local $i i32)
    (local.set $to (call $alloc (i64.extend_i32_u (local.get $length))))
    (loop $next
      (call $store_u8
        (i64.add (local.get $to) (i64.extend_i32_u (local.get $i)))
        (i32.load8_u (i32.add (local.get $from) (local.get $i))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $length))))
    (local.get $to)))
