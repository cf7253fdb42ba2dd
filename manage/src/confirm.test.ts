import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirm } from './confirm.ts'

/** Asks at a terminal whose user types something. */
async function asking(typed: string, { isTTY = true, isSaid = false } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY })
  stdin.end(typed)
  let printed = ''
  const stderr = { write: (text: string) => (printed += text) }
  const outcome = await confirm({ stdin, stderr }, 'Really?', isSaid).then(
    () => 'goes on',
    ({ message }: Error) => message,
  )
  return { outcome, printed }
}

describe('a confirmation', () => {
  test.each(['y\n', 'yes\n', 'YES\n', ' y \n'])('is given by %j', async (typed) => {
    expect(await asking(typed)).toEqual({ outcome: 'goes on', printed: 'Really? [y/N] ' })
  })

  test.each(['\n', 'n\n', 'yesterday\n', ''])('is not given by %j', async (typed) => {
    expect((await asking(typed)).outcome).toBe('Nothing was done.')
  })

  test('is not asked for where it was given already', async () => {
    expect(await asking('', { isSaid: true })).toEqual({ outcome: 'goes on', printed: '' })
  })

  test('is refused where nobody can be asked', async () => {
    const { outcome, printed } = await asking('yes\n', { isTTY: false })
    expect({ outcome, printed }).toEqual({ outcome: expect.stringContaining('--yes'), printed: '' })
  })
})
