import { domainEvent } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newestById } from './apply-records.ts'
import { defineProjection } from './define-projection.ts'
import { containsRecords, findRecords } from './find-records.ts'
import { handlersOf, type ProjectionOwner } from './projection-owner.ts'

const bookRecord = z.object({ book_id: z.int(), realm_id: z.int(), title: z.string(), version: z.int() })
type Book = z.output<typeof bookRecord>
const aBook = (book_id: number, version: number, title = 'A title'): Book => ({
  ...{ book_id, version, title },
  realm_id: 1,
})
const unlisted = async () => []

const books = defineProjection<Book>({
  name: 'books',
  record: bookRecord,
  table: 'known_books',
  key: 'book_id',
  columns: { title_key: ({ title }) => title.toLowerCase(), projection: (book) => book },
  columnsOfNew: { published_title: ({ title }) => title },
  load: { listAll: async () => [aBook(9, 1), aBook(3, 1), aBook(7, 1)], find: unlisted },
})
const bookBorrowed = domainEvent({
  name: 'users.book_borrowed.v1',
  producer: 'users',
  summary: 'A book was borrowed',
  payload: z.object({ by: z.int(), projection: bookRecord }),
  audience: () => [],
  audit: { none: 'It is made up.' },
})
const bookPraised = domainEvent({
  name: 'users.book_praised.v1',
  producer: 'users',
  summary: 'A book was praised',
  payload: z.object({ book_id: z.int() }),
  audience: () => [],
  audit: { none: 'It is made up.' },
})

describe('a projection', () => {
  test('declares each column once, with its value', () => {
    expect(books.columns).toEqual(['title_key', 'projection', 'version'])
    expect(books.columnsOfNew).toEqual(['published_title'])
    const book = aBook(5, 2, 'Emma')
    expect(books.rowOf(book)).toEqual({
      ...{ book_id: 5, version: 2, title_key: 'emma', projection: book },
      published_title: 'Emma',
    })
  })

  test('pages through an owner that lists all its records at once, in the order of their IDs', async () => {
    const call = async () => Promise.reject(new Error('no call is needed'))
    const idsAfter = async (after: number, limit: number) =>
      (await books.load.list(call, { after, limit })).map(({ book_id }) => book_id)

    expect(await idsAfter(0, 2)).toEqual([3, 7])
    expect(await idsAfter(7, 2)).toEqual([9])
    expect(await idsAfter(0, books.load.pageSize)).toEqual([3, 7, 9])
  })

  test('takes the newest of several records with one ID', () => {
    const newest = newestById(books, [aBook(1, 2), aBook(1, 3), aBook(2, 1), aBook(1, 1)])

    expect([...newest.values()]).toEqual([aBook(1, 3), aBook(2, 1)])
  })
})

describe('records in events and lists of changes', () => {
  test.each<[string, z.ZodType, unknown, Book[]]>([
    ['one', bookBorrowed.payload, { by: 1, projection: aBook(1, 1) }, [aBook(1, 1)]],
    [
      'a list',
      z.object({ found: z.array(bookRecord) }),
      { found: [aBook(1, 1), aBook(2, 1)] },
      [aBook(1, 1), aBook(2, 1)],
    ],
    [
      'several fields',
      z.object({ a: bookRecord, b: z.array(bookRecord) }),
      { a: aBook(1, 1), b: [aBook(2, 1)] },
      [aBook(1, 1), aBook(2, 1)],
    ],
    ['none in an event of an earlier release', bookBorrowed.payload, { by: 1 }, []],
    [
      'none of another contract',
      z.object({ book: bookRecord.extend({ shelf: z.int() }) }),
      { book: aBook(1, 1) },
      [],
    ],
  ])('are found by their contract: %s', (_, contract, value, expected) => {
    expect(findRecords(books, contract, value)).toEqual(expected)
  })

  test('decide which events feed a projection', () => {
    expect(containsRecords(books, bookBorrowed.payload)).toBe(true)
    expect(containsRecords(books, bookPraised.payload)).toBe(false)
  })

  test('are handled without a handler; events that bring none and have none are skipped', () => {
    const owner = { events: [bookBorrowed, bookPraised], projections: [books] } as unknown as ProjectionOwner
    const names = (handlers: readonly { event: string }[]) => handlers.map(({ event }) => event)

    expect(names(handlersOf([owner], []))).toEqual([bookBorrowed.name])
    const praised = { event: bookPraised.name, apply: async () => {} }
    expect(names(handlersOf([owner], [praised]))).toEqual([bookBorrowed.name, bookPraised.name])
  })

  test('are not handled by a handler of an event that no owner publishes', () => {
    const owner = { events: [bookBorrowed], projections: [books] } as unknown as ProjectionOwner
    const lost = { event: 'users.book_lost.v1', apply: async () => {} }

    expect(() => handlersOf([owner], [lost])).toThrow('no owner publishes users.book_lost.v1')
  })
})
