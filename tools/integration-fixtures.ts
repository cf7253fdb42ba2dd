// Fixtures of integrations, for the tools that show them. Build first.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyIntegration } from '../libs/integrations/dist/index.js'
import { repoRoot } from './repo-root.ts'

export interface Fixture {
  readonly title: string
  readonly query?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly event?: string
  readonly unsupported?: string
  readonly messages?: readonly { readonly topic: string; readonly content: string }[]
}

/** Folder of the pictures, from the root. */
export const PICTURES = 'docs/pictures/integrations'

/** Of an integration, in the order of their names. */
export function fixturesOf({ name }: Pick<AnyIntegration, 'name'>): Fixture[] {
  const folder = join(repoRoot, 'libs', 'integrations', 'fixtures', name)
  const files = readdirSync(folder).sort()
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture)
}

/** The first message that an integration is known to make; null if there is none. */
export function firstMessageOf(
  integration: Pick<AnyIntegration, 'name'>,
): { readonly topic: string; readonly content: string } | null {
  return fixturesOf(integration).find(({ messages = [] }) => messages.length > 0)?.messages?.[0] ?? null
}
