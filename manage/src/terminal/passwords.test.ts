import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { describeFailure } from '../kernel/errors.ts'
import { choosePassword } from './passwords.ts'

/** Supplies a password, at a terminal or through a pipe. */
async function typePassword(typed: string, isTTY: boolean) {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  stdin.write(typed)
  // A terminal doesn't end its input.
  if (!isTTY) stdin.end()
  let printed = ''
  const stderr = { write: (text: string) => (printed += text) }
  const chosen = await choosePassword({ stdin, stderr }, true).catch(describeFailure)
  return { chosen, printed, modes }
}

describe('a password', () => {
  test('supplied by the operator is not printed', async () => {
    const chosen = { password: 'correct horse', printable: null }

    expect(await typePassword('correct horse\nsomething else\n', false)).toEqual({
      chosen,
      printed: '',
      modes: [],
    })
  })

  test('is prompted for at a terminal without echo, and the terminal mode is restored', async () => {
    const chosen = { password: 'correct horse', printable: null }

    // Backspace removes the last letter.
    expect(await typePassword('correct horsee\x7f\r', true)).toEqual({
      chosen,
      printed: 'Password: \n',
      modes: [true, false],
    })
  })

  test('cannot be empty, or what was typed before Ctrl-C', async () => {
    const nothing = { code: 1, message: expect.stringContaining('has no password') }

    for (const [typed, isTTY] of [
      ['\n', true],
      ['\n', false],
      ['', false],
    ] as const)
      expect((await typePassword(typed, isTTY)).chosen).toEqual(nothing)
    // Ctrl-D ends the input, Ctrl-C cancels it.
    expect((await typePassword('\x04', true)).chosen).toEqual({
      code: 1,
      message: 'Cancelled; nothing was changed.',
    })
    expect((await typePassword('correct\x03', true)).chosen).toEqual({
      code: 130,
      message: 'Cancelled; nothing was changed.',
    })
  })

  test('that is generated is printed, and differs each time', async () => {
    const make = () => choosePassword({ stdin: new PassThrough(), stderr: { write: () => {} } }, false)
    const [one, other] = [await make(), await make()]

    expect(one.printable).toBe(one.password)
    expect(one.password.length).toBeGreaterThanOrEqual(20)
    expect(one.password).not.toBe(other.password)
  })
})
