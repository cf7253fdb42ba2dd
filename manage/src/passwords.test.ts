import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { failureOf } from './failures.ts'
import { choosePassword } from './passwords.ts'

/** Gives a password, at a terminal or through a pipe. */
async function giving(typed: string, isTTY: boolean) {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  stdin.write(typed)
  // Who sits at a terminal stays there.
  if (!isTTY) stdin.end()
  let printed = ''
  const stderr = { write: (text: string) => (printed += text) }
  const chosen = await choosePassword({ stdin, stderr }, true).catch(failureOf)
  return { chosen, printed, modes }
}

describe('a password', () => {
  test('that an operator gives is told nobody', async () => {
    const chosen = { password: 'correct horse', told: null }

    expect(await giving('correct horse\nsomething else\n', false)).toEqual({ chosen, printed: '', modes: [] })
  })

  test('is asked for at a terminal, which does not show it, and is left as it was', async () => {
    const chosen = { password: 'correct horse', told: null }

    // The last letter of what was typed is taken back, as the keyboard does it.
    expect(await giving('correct horsee\x7f\r', true)).toEqual({
      chosen,
      printed: 'Password: \n',
      modes: [true, false],
    })
  })

  test('is not nothing, nor what was begun before Ctrl-C', async () => {
    const nothing = { code: 1, message: expect.stringContaining('There is no password') }

    for (const [typed, isTTY] of [
      ['\n', true],
      ['\n', false],
      ['', false],
    ] as const)
      expect((await giving(typed, isTTY)).chosen).toEqual(nothing)
    // Ctrl-D ends what is typed, and Ctrl-C breaks it off.
    expect((await giving('\x04', true)).chosen).toEqual({ code: 1, message: 'Nothing was done.' })
    expect((await giving('correct\x03', true)).chosen).toEqual({ code: 130, message: 'Nothing was done.' })
  })

  test('that is made up is told, and another each time', async () => {
    const make = () => choosePassword({ stdin: new PassThrough(), stderr: { write: () => {} } }, false)
    const [one, other] = [await make(), await make()]

    expect(one.told).toBe(one.password)
    expect(one.password.length).toBeGreaterThanOrEqual(20)
    expect(one.password).not.toBe(other.password)
  })
})
