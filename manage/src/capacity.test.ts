import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'
import type { Terminal } from './terminal/command-action.ts'

/** What a command prints, without any server. */
async function run(...args: string[]): Promise<string> {
  let printed = ''
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      printed += chunk.toString()
      done()
    },
  })
  const terminal = { env: {}, stdin: process.stdin, stdout, stderr: stdout, on: () => {}, off: () => {} }
  const program = createProgram(terminal satisfies Terminal, {
    signal: new AbortController().signal,
  } as never)
  await program.parseAsync(['capacity', ...args], { from: 'user' })
  return printed
}

test('prints replicas, cores and what would end first, for people and programs', async () => {
  const text = await run('--people', '100000', '--readers', '50', '--streams', '25')
  expect(text).toMatch(/^gateway +\d+ /m)
  expect(text).toMatch(/^postgres +\d+ /m)
  expect(text).toContain('What would end first:')
  const plan = JSON.parse(await run('--people', '100000', '--streams', '25', '--json')) as object
  expect(plan).toMatchObject({ habits: { people: 100_000, streamShare: 0.25 } })
})

test('simulates the busiest hour', async () => {
  expect(await run('--people', '2000', '--simulate')).toMatch(/^half as much again +[\d.]+ ms/m)
  const { simulated } = JSON.parse(await run('--people', '2000', '--simulate', '--json')) as {
    simulated: { send: { p99: number } }[]
  }
  expect(simulated.map(({ send }) => send.p99 > 0)).toEqual([true, true, true])
})

test.each([
  [['--people', 'many'], "--people must be a number from 0 to 1,000,000,000, not 'many'"],
  [['--people', '0'], '--people must be a whole number above 0'],
  [['--people', '10', '--online', '140'], "--online must be a number from 0 to 100, not '140'"],
  [['--people', '10', '--readers', '-3'], "--readers must be a number from 0 to 1,000,000,000, not '-3'"],
  [[], "required option '--people <number>' not specified"],
])('refuses %j', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message)
})
