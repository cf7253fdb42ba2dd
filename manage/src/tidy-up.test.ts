import { describe, expect, test } from 'vitest'
import { tidyUp } from './tidy-up.ts'

const never = new Promise<never>(() => {})

/** What is said, and with what it ends, when a command is interrupted that does some work. */
async function interrupting(work: Promise<unknown>, left: string | null, again: Promise<unknown> = never) {
  let printed = ''
  const stderr = { write: (text: string) => (printed += text) }
  const code = await tidyUp({ outlasting: [{ work, left }], again }, Promise.resolve(0), { stderr })
  return { code, printed }
}

describe('an interrupted command', () => {
  test('says what is left in the middle when it is interrupted once more', async () => {
    const said = { code: 130, printed: 'Left in the middle: a folder stays.\n' }

    expect(await interrupting(never, 'a folder stays.', Promise.resolve())).toEqual(said)
  })

  test('has nothing to say of what leaves nothing', async () => {
    expect(await interrupting(never, null, Promise.resolve())).toEqual({ code: 130, printed: '' })
  })

  test('ends as it would have where it was done already, else as interrupted', async () => {
    const failing = Promise.reject(new Error('broken off'))

    expect(await interrupting(Promise.resolve(), 'a folder stays.')).toEqual({ code: 0, printed: '' })
    expect(await interrupting(failing, 'a folder stays.')).toEqual({ code: 130, printed: '' })
  })
})
