import { z } from 'zod'

/** A text that a user keeps to insert it into messages, as its owner sees it. */
export const savedSnippetRecord = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string().describe('Markdown.'),
  date_created: z.int().describe('UNIX seconds.'),
})
export type SavedSnippetRecord = z.output<typeof savedSnippetRecord>
