import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeSequence } from './sequence.ts'

describe('judgeSequence', () => {
  test('accepts the first entry of a stream with any sequence number', () => {
    expect(judgeSequence(undefined, 17)).toBe('take')
  })

  test('accepts each event once and in order, although relays repeat and lose entries', () => {
    // Each publisher starts at some unconfirmed sequence number and publishes a run; parts of runs are lost, and the
    // runs of a deposed relay and its successor are interleaved.
    const run = fc.record({ from: fc.nat(20), length: fc.nat(20), lost: fc.array(fc.nat(20)) })

    fc.assert(
      fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
        const log = runs.flatMap(({ from, length, lost }) =>
          Array.from({ length }, (_, index) => from + index).filter((seq) => !lost.includes(seq)),
        )
        const taken: number[] = []
        for (const seq of [0, ...log]) {
          if (judgeSequence(taken.at(-1), seq) === 'take') taken.push(seq)
        }

        expect(taken).toEqual(Array.from({ length: taken.length }, (_, index) => index))
      }),
    )
  })

  test('does so, too, if relays announce an old confirmed sequence number', () => {
    // How far before the newest confirmed sequence number a publisher starts, and how much of its run is lost.
    const run = fc.record({ behind: fc.nat(10), length: fc.nat(20), lost: fc.array(fc.nat(20)) })

    fc.assert(
      fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
        let confirmed = 0
        const taken = [0]
        for (const { behind, length, lost } of runs) {
          const confirmedThen = Math.max(0, confirmed - behind)
          const places = Array.from({ length }, (_, index) => confirmedThen + 1 + index)
          const written = places.filter((_, index) => !lost.includes(index))
          for (const seq of written) {
            if (judgeSequence(taken.at(-1), seq, confirmedThen) === 'take') taken.push(seq)
          }
          if (written.length === length) confirmed = Math.max(confirmed, confirmedThen + length)
        }

        expect(taken).toEqual(Array.from({ length: taken.length }, (_, index) => index))
      }),
    )
  })

  test('continues after confirmed entries that are missing because the log was lost', () => {
    expect(judgeSequence(105, 201, 200)).toBe('take')
    expect(judgeSequence(105, 202, 200)).toBe('gap')
    expect(judgeSequence(105, 201)).toBe('gap')
    expect(judgeSequence(205, 201, 200)).toBe('repeated')
  })
})
