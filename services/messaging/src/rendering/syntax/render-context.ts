import type { Env } from 'markdown-it'
import type { MentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import type { RenderingSettings } from '../../kernel/rendering/rendering-settings.ts'
import type { Address } from './addresses.ts'
import type { MathBudget } from './math.ts'

/** Inputs and results of one rendering. All renderings share the rules, so rules keep no state. */
export interface RenderContext {
  readonly lookup: MentionLookup
  readonly settings: RenderingSettings
  readonly mentionedUserIds: Set<number>
  readonly mentionedGroupIds: Set<number>
  /** Path IDs of the uploads that the text links to. */
  readonly uploadPathIds: Set<string>
  mentionsChannelWildcard: boolean
  mentionsTopicWildcard: boolean
  /** Number of quotes around the text that is being parsed. */
  quoteDepth: number
  /** Table cells of this message so far. */
  tableCells: number
  readonly mathBudget: MathBudget
  /** Addresses of the text that was last queried: rules query them at every position of a text. */
  addresses: TextAddresses
}

export interface TextAddresses {
  readonly text: string
  readonly all: readonly Address[]
  readonly byStart: ReadonlyMap<number, Address>
}

const KEY = Symbol('rendering')

/** Creates the context of a rendering, and the parser environment that carries it to the rules. */
export function createRenderContext(
  lookup: MentionLookup,
  settings: RenderingSettings,
): { context: RenderContext; env: Env } {
  const context: RenderContext = {
    lookup,
    settings,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    uploadPathIds: new Set(),
    mentionsChannelWildcard: false,
    mentionsTopicWildcard: false,
    quoteDepth: 0,
    tableCells: 0,
    mathBudget: { defining: 0 },
    addresses: { text: '', all: [], byStart: new Map() },
  }
  return { context, env: { [KEY]: context } }
}

/** The context in a rule's state. */
export function contextOf(env: Env | undefined): RenderContext {
  // The parser passes the environment untyped; only `createRenderContext` can write under this symbol.
  return env?.[KEY] as RenderContext
}
