import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readJson, writePrivateJson } from '../process/private-file.ts'

/** Somebody who can sign in by every example, and has the same account by all of them. */
export type ExamplePerson = {
  /** The user name. */
  name: string
  email: string
  firstName: string
  lastName: string
  /** What the example says about the person, and its settings make of it. */
  position: string
}

/** Roles by position; everybody else is a member. */
export const rolesByPosition = { manager: 'administrator', visitor: 'guest' }

export const examplePeople: readonly ExamplePerson[] = [
  { name: 'ada', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', position: 'manager' },
  { name: 'grace', email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', position: 'engineer' },
  { name: 'alan', email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing', position: 'visitor' },
]

/** The password of all of them: random, since others may use this machine, but the same at each start. */
export function loadExamplePassword(dataDir: string): string {
  const path = join(dataDir, 'example-people.json')
  const known = readJson(path) as { password?: unknown } | null
  if (typeof known?.password === 'string') return known.password
  const password = randomBytes(5).toString('hex')
  writePrivateJson(path, { password })
  return password
}
