import { describe, expect, test } from 'vitest'
import { cleanUp } from './clean-up.ts'

const never = new Promise<never>(() => {})

/** The output and exit code of a command that is interrupted while it works. */
async function interrupt(
  work: Promise<unknown>,
  leftover: string | null,
  interruptedAgain: Promise<unknown> = never,
) {
  let printed = ''
  const stderr = { write: (text: string) => (printed += text) }
  const code = await cleanUp({ unfinishedWork: [{ work, leftover }], interruptedAgain }, Promise.resolve(0), {
    stderr,
  })
  return { code, printed }
}

describe('an interrupted command', () => {
  test('reports what it leaves unfinished when it is interrupted again', async () => {
    const expected = { code: 130, printed: 'Left unfinished: a folder remains.\n' }

    expect(await interrupt(never, 'a folder remains.', Promise.resolve())).toEqual(expected)
  })

  test('reports nothing if it leaves nothing unfinished', async () => {
    expect(await interrupt(never, null, Promise.resolve())).toEqual({ code: 130, printed: '' })
  })

  test('exits with its own code if its work succeeded, else as interrupted', async () => {
    const failing = Promise.reject(new Error('aborted'))

    expect(await interrupt(Promise.resolve(), 'a folder remains.')).toEqual({ code: 0, printed: '' })
    expect(await interrupt(failing, 'a folder remains.')).toEqual({ code: 130, printed: '' })
  })
})
