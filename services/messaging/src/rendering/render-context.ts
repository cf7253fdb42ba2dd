import type { Env } from 'markdown-it'
import type { Address } from './addresses.ts'
import type { RenderingDirectory } from './directory.ts'
import type { MathUse } from './math.ts'
import type { RenderingSettings } from './rendering-settings.ts'

/** What one rendering knows and collects. Rules are shared by all renderings, so they keep nothing themselves. */
export interface RenderContext {
  readonly directory: RenderingDirectory
  readonly settings: RenderingSettings
  readonly mentionedUserIds: Set<number>
  readonly mentionedGroupIds: Set<number>
  /** Path IDs of the uploads that the text links to. */
  readonly uploadPathIds: Set<string>
  mentionsChannelWildcard: boolean
  mentionsTopicWildcard: boolean
  /** How many quotes surround the text being parsed. */
  quoteDepth: number
  /** Cells that the tables of this message have used up. */
  tableCells: number
  readonly mathUse: MathUse
  /** Those in the text that was last asked about: rules ask at every place of a text. */
  addresses: KnownAddresses
}

export interface KnownAddresses {
  readonly text: string
  readonly all: readonly Address[]
  readonly byStart: ReadonlyMap<number, Address>
}

const KEY = Symbol('rendering')

/** The context of a new rendering, and the parser environment that carries it to the rules. */
export function createRenderContext(
  directory: RenderingDirectory,
  settings: RenderingSettings,
): { context: RenderContext; env: Env } {
  const context: RenderContext = {
    directory,
    settings,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    uploadPathIds: new Set(),
    mentionsChannelWildcard: false,
    mentionsTopicWildcard: false,
    quoteDepth: 0,
    tableCells: 0,
    mathUse: { defining: 0 },
    addresses: { text: '', all: [], byStart: new Map() },
  }
  return { context, env: { [KEY]: context } }
}

/** The context that a rule finds in its state. */
export function contextOf(env: Env | undefined): RenderContext {
  // The parser hands the environment through untyped; only `createRenderContext` can write under this symbol.
  return env?.[KEY] as RenderContext
}
