import type { Env } from 'markdown-it'
import type { RenderingDirectory } from './directory.ts'

/** What one rendering knows and collects. Rules are shared by all renderings, so they keep nothing themselves. */
export interface RenderContext {
  readonly directory: RenderingDirectory
  readonly mentionedUserIds: Set<number>
  mentionsChannelWildcard: boolean
  mentionsTopicWildcard: boolean
  /** How many quotes surround the text being parsed. */
  quoteDepth: number
  /** Cells that the tables of this message have used up. */
  tableCells: number
}

const KEY = Symbol('rendering')

/** The context of a new rendering, and the parser environment that carries it to the rules. */
export function createRenderContext(directory: RenderingDirectory): { context: RenderContext; env: Env } {
  const context: RenderContext = {
    directory,
    mentionedUserIds: new Set(),
    mentionsChannelWildcard: false,
    mentionsTopicWildcard: false,
    quoteDepth: 0,
    tableCells: 0,
  }
  return { context, env: { [KEY]: context } }
}

/** The context that a rule finds in its state. */
export function contextOf(env: Env): RenderContext {
  // The parser hands the environment through untyped; only `createRenderContext` can write under this symbol.
  return env[KEY] as RenderContext
}
