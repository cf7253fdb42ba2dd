import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { judgeSequence } from './sequence.ts'

describe('judgeSequence', () => {
  test('takes the first entry of a stream, whatever its place', () => {
    expect(judgeSequence(undefined, 17)).toBe('take')
  })

  test('takes each event once and in order, however relays repeat and lose what they publish', () => {
    // Each publisher starts at some unconfirmed place and publishes a run; parts of runs are lost, and
    // the runs of a deposed relay and its successor mingle.
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
})
