import type { SavedSnippetRecord } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** How much a user has saved; characters of titles and contents. */
export interface SavedSnippetsSize {
  readonly count: number
  readonly characters: number
}

const COLUMNS = 'id, title, content, floor(extract(epoch from created_at))::int as date_created'

/** The saved snippets of a user, oldest first. */
export async function listSavedSnippets(db: Queryable, userId: number): Promise<SavedSnippetRecord[]> {
  const { rows } = await db.query<SavedSnippetRecord>({
    name: 'list-saved-snippets',
    text: `select ${COLUMNS} from saved_snippets where user_id = $1 order by id`,
    values: [userId],
  })
  return rows
}

/** A saved snippet of a user; null if that user has none with this ID. */
export async function findSavedSnippet(
  db: Queryable,
  userId: number,
  id: number,
): Promise<SavedSnippetRecord | null> {
  const { rows } = await db.query<SavedSnippetRecord>({
    name: 'find-saved-snippet',
    text: `select ${COLUMNS} from saved_snippets where id = $2::bigint and user_id = $1`,
    values: [userId, id],
  })
  return rows[0] ?? null
}

/** Stores a snippet of a user. Lock the account first, so that the size can be measured afterwards. */
export async function insertSavedSnippet(
  tx: Queryable,
  userId: number,
  snippet: { readonly title: string; readonly content: string },
): Promise<SavedSnippetRecord> {
  const { rows } = await tx.query<SavedSnippetRecord>({
    name: 'insert-saved-snippet',
    text: `insert into saved_snippets (user_id, title, content) values ($1, $2, $3) returning ${COLUMNS}`,
    values: [userId, snippet.title, snippet.content],
  })
  return rows[0] as SavedSnippetRecord
}

/** Replaces title and content. Lock the owner's account first. */
export async function saveSavedSnippet(
  tx: Queryable,
  { id, title, content }: Pick<SavedSnippetRecord, 'id' | 'title' | 'content'>,
): Promise<void> {
  await tx.query({
    name: 'save-saved-snippet',
    text: 'update saved_snippets set title = $2, content = $3 where id = $1',
    values: [id, title, content],
  })
}

/** Deletes a saved snippet of a user. Returns whether it existed. */
export async function deleteSavedSnippet(tx: Queryable, userId: number, id: number): Promise<boolean> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'delete-saved-snippet',
    text: 'delete from saved_snippets where id = $2::bigint and user_id = $1 returning id',
    values: [userId, id],
  })
  return rows.length > 0
}

/** Lock the owner's account first. */
export async function measureSavedSnippets(tx: Queryable, userId: number): Promise<SavedSnippetsSize> {
  const { rows } = await tx.query<SavedSnippetsSize>({
    name: 'measure-saved-snippets',
    text: `
      select count(*)::int as count, coalesce(sum(char_length(title) + char_length(content)), 0)::int as characters
        from saved_snippets
       where user_id = $1`,
    values: [userId],
  })
  return rows[0] ?? { count: 0, characters: 0 }
}
