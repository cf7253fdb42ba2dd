import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queryable } from '@tms/service-kit'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { type ListQuery, listAnswer, select } from './answers.rules.ts'
import { readId } from './document.rules.ts'
import { type Filter, findExactText, matches, parseFilter } from './filter.rules.ts'
import {
  countPeople,
  findPerson,
  listPeopleAfter,
  listPeopleByExternalId,
  listPeopleByName,
  listPeoplePage,
} from './person.queries.ts'
import { type ProvisionedPerson, toUserResource } from './person.rules.ts'
import { type Document, userSchema } from './schema.rules.ts'
import type { Provisioning } from './scim-context.ts'

/** People that are compared with a filter without a pause. */
const BATCH = 500
/** Attributes by which people are found without comparing everybody. */
const EXACT = ['id', 'userName', 'emails.value', 'externalId'] as const

/** A part of the list of people, by ID. Throws invalidFilter. */
export async function listPeople(provisioning: Provisioning, query: ListQuery): Promise<Document> {
  const { context, realm, baseUrl } = provisioning
  const { startIndex, count, selection } = query
  const [people, total] =
    query.filter === null
      ? [
          await listPeoplePage(context.db, realm.realm_id, { offset: startIndex - 1, limit: count }),
          await countPeople(context.db, realm.realm_id),
        ]
      : await filterPeople(provisioning, parseFilter(query.filter, userSchema), query)
  const resources = people.map((person) => select(toUserResource(person, baseUrl), selection))
  return listAnswer(resources, { startIndex, total })
}

async function filterPeople(
  provisioning: Provisioning,
  filter: Filter,
  { startIndex, count }: ListQuery,
): Promise<[ProvisionedPerson[], number]> {
  const page: ProvisionedPerson[] = []
  let total = 0
  for await (const batch of candidates(provisioning, filter)) {
    for (const person of batch) {
      if (!matches(filter, toUserResource(person, provisioning.baseUrl))) continue
      total++
      if (total >= startIndex && page.length < count) page.push(person)
    }
    await nextTurn()
  }
  return [page, total]
}

/** People, with all that the filter finds among them: a few if it says what one of them has, else everybody. */
async function* candidates(
  { context: { db }, realm: { realm_id: realmId } }: Provisioning,
  filter: Filter,
): AsyncGenerator<ProvisionedPerson[]> {
  const exact = findExactText(filter, EXACT)
  if (exact) return yield await peopleWith(db, realmId, exact)
  let afterId = 0
  for (;;) {
    const batch = await listPeopleAfter(db, realmId, { afterId, limit: BATCH })
    yield batch
    if (batch.length < BATCH) return
    afterId = batch.at(-1)?.id ?? afterId
  }
}

/** People who may have this text in an attribute. */
async function peopleWith(
  db: Queryable,
  realmId: number,
  { name, text }: { readonly name: (typeof EXACT)[number]; readonly text: string },
): Promise<ProvisionedPerson[]> {
  switch (name) {
    case 'userName':
    case 'emails.value':
      return listPeopleByName(db, realmId, foldEmail(text))
    case 'externalId':
      return listPeopleByExternalId(db, realmId, text)
    case 'id': {
      const id = readId(text)
      const person = id === null ? null : await findPerson(db, realmId, id)
      return person ? [person] : []
    }
  }
}
