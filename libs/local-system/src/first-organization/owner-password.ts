import { randomBytes } from 'node:crypto'
import { readJson, writePrivateJson } from '../process/private-file.ts'

/** The first owner's password: random, created once, stored in this file (mode 600). */
export function loadOwnerPassword(path: string): string {
  const known = readJson(path) as { password?: unknown } | null
  if (typeof known?.password === 'string') return known.password
  const password = randomBytes(15).toString('base64url')
  writePrivateJson(path, { email: ownerEmail, password })
  return password
}

export const ownerEmail = 'owner@example.com'
