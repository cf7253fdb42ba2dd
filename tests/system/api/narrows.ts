import { endpoints, limits, Role, VisibilityPolicy } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

const { findMatchingMessages, getMessages, unsubscribe, updateMessageFlags } = endpoints.messaging
const { updateSubscriptionSettings, updateUserTopic } = endpoints.messaging
type Term = { operator: string; operand: unknown; negated?: boolean }

const is = (operator: string, operand: unknown): Term => ({ operator, operand })
const not = (operator: string, operand: unknown): Term => ({ operator, operand, negated: true })
const hit = (text: string) => `<span class="highlight">${text}</span>`

export const narrowTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  let guest: ApiClient
  let open: { name: string; id: number }
  let closed: { name: string; id: number }
  /** By their names in the tables below. */
  let ids: Readonly<Record<string, number>>

  beforeAll(async () => {
    ;[ann, ben, cem] = await newUsers(system(), 3)
    guest = await system().createUser('A narrow guest', { role: Role.guest })
    open = await newChannel(ann, { others: [ben] })
    closed = await newChannel(ann, { others: [ben], isPrivate: true })
    ids = {
      plain: await sendToChannel(ann, open.name, 'Nothing but words', 'menu'),
      link: await sendToChannel(ann, open.name, 'see https://example.com/page', 'menu'),
      image: await sendToChannel(ann, open.name, 'look: https://example.com/soup.png', 'menu'),
      running: await sendToChannel(ann, open.name, 'The **runners** were running late', 'sports'),
      topic: await sendToChannel(ann, open.name, 'no such word here', 'A marathon'),
      markup: await sendToChannel(ann, open.name, 'if x < 1 && "late" then `late <b>`', 'code'),
      secret: await sendToChannel(ann, closed.name, 'a marathon in secret', 'plans'),
      direct: await sendDirectly(ann, [ben], 'a marathon for two'),
      group: await sendDirectly(ann, [ben, cem], 'a marathon for three'),
      own: await sendDirectly(ann, [ann], 'a marathon for one'),
      resolved: await sendToChannel(ann, open.name, 'it is done', '✔ menu'),
    }
  })

  const inOpen = () => is('channel', open.name)
  const fetchAs = (client: ApiClient, narrow: readonly unknown[], input: object = {}) =>
    client.call(getMessages, { anchor: 'newest', num_before: 100, num_after: 0, narrow, ...input })
  /** The messages above that a narrow finds, by name. */
  const find = async (client: ApiClient, ...narrow: unknown[]) => {
    const { messages } = await fetchAs(client, narrow)
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
    return messages.flatMap(({ id }) => names.get(id) ?? [])
  }

  describe('messages', () => {
    const fetchByIds = (client: ApiClient, message_ids: number[], input: object = {}) =>
      client.send(getMessages, { message_ids, ...input })
    const idsOf = (answer: { body: object }) =>
      (answer.body as { messages: { id: number }[] }).messages.map(({ id }) => id)

    test('are fetched by their IDs, without those that the caller cannot see', async () => {
      const { plain = 0, running = 0, secret = 0, direct = 0 } = ids
      const wanted = [direct, secret, running, plain, plain, 999_999_999, -1]

      expect(idsOf(await fetchByIds(ann, wanted))).toEqual([plain, running, secret, direct])
      // Cem never received them; the channel is public.
      expect(idsOf(await fetchByIds(cem, wanted))).toEqual([plain, running])
      expect(idsOf(await fetchByIds(guest, wanted))).toEqual([])
      expect(idsOf(await fetchByIds(ann, []))).toEqual([])
    })

    test('that are fetched by their IDs are narrowed, and have what was searched highlighted', async () => {
      const { link = 0, running = 0, plain = 0 } = ids

      const narrow = [inOpen(), is('has', 'link')]
      expect(idsOf(await fetchByIds(ann, [plain, link, running], { narrow }))).toEqual([link])
      const found = await fetchByIds(ann, [plain, running], { narrow: [is('search', 'runner')] })
      expect(found).toMatchObject(
        success({ messages: [{ id: running, match_content: expect.stringContaining(hit('runners')) }] }),
      )
    })

    test('cannot be fetched by IDs and around an anchor at once', async () => {
      expect(await fetchByIds(ann, [1], { anchor: 'newest', num_before: 1 })).toMatchObject(
        refusal('BAD_REQUEST', { parameters: 'anchor, num_before' }),
      )
      expect(await ann.send(getMessages, { anchor: 'newest', num_after: 0 })).toMatchObject(
        refusal('REQUEST_VARIABLE_MISSING', { var_name: 'num_before' }),
      )
    })
  })

  describe('the narrow grammar', () => {
    test.each<[string, () => unknown[], string[]]>([
      ['links', () => [is('has', 'link')], ['link', 'image']],
      ['images', () => [is('has', 'image')], ['image']],
      ['attachments', () => [is('has', 'attachment')], []],
      ['reactions', () => [inOpen(), is('has', 'reaction')], []],
      ['no links', () => [inOpen(), not('has', 'link')], ['plain', 'running', 'topic', 'markup', 'resolved']],
      ['links in the old way', () => [inOpen(), ['has', 'link']], ['link', 'image']],
      [
        'everything that is not muted',
        () => [inOpen(), is('in', 'home')],
        ['plain', 'link', 'image', 'running', 'topic', 'markup', 'resolved'],
      ],
      ['all of it', () => [is('in', 'all'), is('topic', 'plans')], ['secret']],
      ['all of it, negated or not', () => [not('in', 'all'), is('topic', 'plans')], ['secret']],
      ['topics that one follows', () => [is('is', 'followed'), inOpen(), is('topic', 'sports')], ['running']],
      ['topics that one doesn’t follow', () => [not('is', 'followed'), is('topic', 'sports')], []],
      ['conversations with someone', () => [is('dm-including', 'BEN')], ['direct', 'group']],
      ['conversations with oneself in them', () => [is('dm-including', 'ANN')], ['direct', 'group', 'own']],
      [
        'conversations with two at least',
        () => [is('dm-including', 'BEN'), is('dm-including', 'CEM')],
        ['group'],
      ],
      [
        'conversations without someone',
        () => [is('is', 'dm'), not('dm-including', 'CEM')],
        ['direct', 'own'],
      ],
      ['groups', () => [is('group-pm-with', 'BEN')], ['group']],
      ['groups, spelt differently', () => [is('group_pm_with', 'BEN')], ['group']],
      ['not the groups', () => [is('is', 'private'), not('group-pm-with', 'CEM')], ['direct', 'own']],
      ['a conversation with oneself', () => [is('dm', [ann.userId])], ['own']],
      ['the conversation around a message', () => [is('with', ids['plain'])], ['plain', 'link', 'image']],
      ['the same, as text', () => [is('with', String(ids['direct']))], ['direct']],
      [
        'the conversation around a message rather than the one that is named',
        () => [is('channel', closed.name), is('topic', 'gone'), is('with', ids['running'])],
        ['running'],
      ],
      [
        'the named topic if the message is not visible',
        () => [inOpen(), is('topic', 'sports'), is('with', 999_999_999)],
        ['running'],
      ],
      ['resolved topics', () => [inOpen(), is('is', 'resolved')], ['resolved']],
    ])('finds %s', async (_, terms, expected) => {
      const members: Readonly<Record<string, ApiClient>> = { ANN: ann, BEN: ben, CEM: cem }
      const narrow = terms().map((term) => {
        const person = members[(term as Term).operand as string]
        return person ? { ...(term as Term), operand: person.userId } : term
      })

      expect(await find(ann, ...narrow)).toEqual(expected)
    })

    test('finds what is muted, and what is not', async () => {
      const [dan] = await newUsers(system(), 1)
      const [loud, quiet] = [
        await newChannel(ann, { others: [dan] }),
        await newChannel(ann, { others: [dan] }),
      ]
      const sent = {
        heard: await sendToChannel(ann, loud.name, 'x', 'news'),
        mutedTopic: await sendToChannel(ann, loud.name, 'x', 'gossip'),
        mutedChannel: await sendToChannel(ann, quiet.name, 'x', 'weather'),
        mutedTwice: await sendToChannel(ann, quiet.name, 'x', 'gossip'),
        unmuted: await sendToChannel(ann, quiet.name, 'x', 'alarms'),
        followed: await sendToChannel(ann, quiet.name, 'x', 'plans'),
        direct: await sendDirectly(ann, [dan], 'x'),
      }
      const setPolicy = (stream_id: number, topic: string, visibility_policy: 1 | 2 | 3) =>
        dan.call(updateUserTopic, { stream_id, topic, visibility_policy })
      await dan.call(updateSubscriptionSettings, {
        subscription_data: [{ stream_id: quiet.id, property: 'is_muted', value: true }],
      })
      await setPolicy(loud.id, 'gossip', VisibilityPolicy.muted)
      await setPolicy(quiet.id, 'gossip', VisibilityPolicy.muted)
      await setPolicy(quiet.id, 'alarms', VisibilityPolicy.unmuted)
      await setPolicy(quiet.id, 'plans', VisibilityPolicy.followed)

      const names = new Map(Object.entries(sent).map(([name, id]) => [id, name]))
      const found = async (...narrow: Term[]) =>
        (await fetchAs(dan, narrow)).messages.flatMap(({ id }) => names.get(id) ?? [])
      expect(await found(is('is', 'muted'))).toEqual(['mutedTopic', 'mutedChannel', 'mutedTwice'])
      expect(await found(not('is', 'muted'))).toEqual(['heard', 'unmuted', 'followed', 'direct'])
      const inQuiet = is('channel', quiet.id)
      expect(await found(inQuiet, is('is', 'muted'))).toEqual(['mutedChannel', 'mutedTwice'])
      expect(await found(inQuiet, not('is', 'muted'))).toEqual(['unmuted', 'followed'])
      expect(await found(is('topic', 'gossip'), is('is', 'muted'))).toEqual(['mutedTopic', 'mutedTwice'])
      expect(await found(is('is', 'dm'), is('is', 'muted'))).toEqual([])
    })

    test('finds users by their addresses too', async () => {
      expect(await find(ann, is('dm-including', cem.email))).toEqual(['group'])
    })

    test.each<[string, () => ApiClient, () => Term[], string[]]>([
      [
        'the history of public channels, for users who may read it',
        () => cem,
        () => [is('streams', 'public'), is('topic', 'menu')],
        ['plain', 'link', 'image'],
      ],
      [
        'the same by its other name',
        () => cem,
        () => [is('channels', 'public'), is('topic', 'sports')],
        ['running'],
      ],
      ['nothing private', () => ben, () => [is('streams', 'public'), is('topic', 'plans')], []],
      [
        'what was received of private ones',
        () => ben,
        () => [not('streams', 'public'), is('topic', 'plans')],
        ['secret'],
      ],
      [
        'nothing that a guest never received',
        () => guest,
        () => [is('streams', 'public'), is('topic', 'menu')],
        [],
      ],
      [
        'nothing, where none is open to the web',
        () => ann,
        () => [is('channels', 'web-public'), is('topic', 'menu')],
        [],
      ],
      [
        'only what was received, by its state',
        () => cem,
        () => [is('streams', 'public'), is('is', 'unread'), is('topic', 'menu')],
        [],
      ],
    ])('finds %s', async (_, client, terms, expected) => {
      expect(await find(client(), ...terms())).toEqual(expected)
    })

    test.each<[string, () => unknown[]]>([
      ['a kind of content that is none', () => [is('has', 'rhythm')]],
      ['an unknown place', () => [is('in', 'out')]],
      ['an openness that is none', () => [is('streams', 'secret')]],
      ['a conversation with an unknown user in it', () => [is('dm-including', 999_999_999)]],
      ['a group with an unknown user', () => [is('group-pm-with', 'nobody@example.com')]],
      ['an operator of ours that is none of the API', () => [is('group-dm', 'x')]],
      ['the conversation around nothing', () => [is('with', 999_999_999)]],
      ['the conversation around what one may not see', () => [is('with', ids['own'])]],
      ['the conversation around a word', () => [is('with', 'x')]],
      ['two conversations around messages', () => [is('with', 1), is('with', 2)]],
      ['public channels and a conversation', () => [is('streams', 'public'), is('dm-including', 1)]],
      ['a topic and a group', () => [is('topic', 'x'), is('group-pm-with', 1)]],
      ['a search longer than any message', () => [is('search', 'x'.repeat(10_001))]],
      ['more terms than anybody needs', () => Array.from({ length: 101 }, () => is('near', '1'))],
    ])('rejects %s', async (_, narrow) => {
      const input = { anchor: 'newest', num_before: 1, num_after: 0, op: 'add', flag: 'read' } as const
      const answer = await ben.send(endpoints.messaging.updateFlagsForNarrow, { ...input, narrow: narrow() })

      expect(answer).toMatchObject(refusal('BAD_NARROW', { desc: expect.stringMatching(/./) }))
    })

    test('takes a private channel as unknown for users who neither see it nor were in it, by ID and by name', async () => {
      const hidden = await newChannel(ann, { others: [ben], isPrivate: true })
      const message_id = await sendToChannel(ann, hidden.name)
      await ben.call(endpoints.messaging.unsubscribe, { subscriptions: [hidden.name] })
      const answerTo = (client: ApiClient, term: unknown) =>
        client.send(getMessages, { anchor: 'newest', num_before: 9, num_after: 0, narrow: [term] } as never)

      for (const operand of [hidden.id, hidden.name]) {
        for (const term of [is('channel', operand), not('channel', operand)])
          for (const client of [cem, guest])
            expect(await answerTo(client, term)).toMatchObject(refusal('BAD_NARROW'))
        // He received it, and administrators see the channel.
        expect(await answerTo(ben, is('channel', operand))).toMatchObject(
          success({ messages: expect.arrayContaining([expect.objectContaining({ id: message_id })]) }),
        )
        expect(await answerTo(system().owner, is('channel', operand))).toMatchObject(
          success({ messages: [] }),
        )
      }
    })

    test.each<[string, unknown[]]>([
      ['a search for nothing', [is('search', '')]],
      ['a search for blanks', [is('search', '  ')]],
      ['a number to search for', [is('search', 7)]],
      ['a list of people in a conversation', [is('dm-including', [1])]],
      ['a number near which to look', [is('near', 7)]],
      ['a text that no database holds', [is('search', 'a\0b')]],
    ])('rejects %s, which has the wrong form', async (_, narrow) => {
      const answer = await ann.send(getMessages, { anchor: 'newest', num_before: 1, num_after: 0, narrow })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('searching', () => {
    test.each<[string, string, string[]]>([
      ['a word in another form', 'runs', ['running']],
      ['a word of the topic', 'Marathons', ['topic', 'secret', 'direct', 'group', 'own']],
      ['several words, wherever they are', 'late running', ['running']],
      ['a part of words as it stands, whatever its case', '"UNNING LA"', ['running']],
      ['characters that mean something elsewhere', '"x < 1 && "', ['markup']],
      ['words and a part', 'marathons "for t"', ['direct', 'group']],
      ['two parts', '"for t" "hree"', ['group']],
      ['a word that is nowhere', 'antidisestablishment', []],
      ['words that are everywhere', 'the', []],
      ['no wildcards', '"ma%n"', []],
    ])('finds %s: %s', async (_, text, expected) => {
      expect(await find(ann, is('search', text))).toEqual(expected)
    })

    test('combines several terms, and excludes negated ones', async () => {
      expect(await find(ann, is('search', 'marathon'), is('search', '"three"'))).toEqual(['group'])
      expect(await find(ann, is('search', 'marathon'), not('search', 'two'), is('is', 'dm'))).toEqual([
        'group',
        'own',
      ])
      expect(await find(ann, ['search', 'marathon'], is('is', 'dm'), not('search', '"for t"'))).toEqual([
        'own',
      ])
    })

    test('finds nothing without access', async () => {
      expect(await find(cem, is('search', 'marathon'))).toEqual(['group'])
      expect(await find(cem, is('search', 'marathon'), inOpen())).toEqual(['topic'])
      expect(await find(cem, is('search', 'marathon'), is('streams', 'public'))).toEqual(['topic'])
      expect(await find(guest, is('search', 'marathon'))).toEqual([])
    })

    test('pages through its results', async () => {
      const anchor = String(ids['direct'])
      const { messages, found_oldest, found_newest } = await fetchAs(ann, [is('search', 'marathon')], {
        anchor,
        num_before: 1,
        num_after: 1,
      })

      expect(messages.map(({ id }) => id)).toEqual([ids['secret'], ids['direct'], ids['group']])
      expect({ found_oldest, found_newest }).toEqual({ found_oldest: false, found_newest: false })
    })

    const matchOf = async (name: string, text: string, input: object = {}) => {
      const { messages } = await fetchAs(ann, [is('id', ids[name]), is('search', text)], input)
      const { match_content, match_subject } = messages[0] as {
        match_content?: string
        match_subject?: string
      }
      return { match_content, match_subject }
    }

    test('highlights matches in text and topic', async () => {
      expect(await matchOf('running', 'run')).toEqual({
        match_content: `<p>The <strong>runners</strong> were ${hit('running')} late</p>`,
        match_subject: 'sports',
      })
      expect(await matchOf('topic', 'marathon')).toEqual({
        match_content: '<p>no such word here</p>',
        match_subject: `A ${hit('marathon')}`,
      })
    })

    test('highlights without breaking the markup around', async () => {
      expect(await matchOf('markup', '"x < 1 &" late')).toEqual({
        match_content: `<p>if ${hit('x &lt; 1 &amp;')}&amp; &quot;${hit('late')}&quot; then <code>${hit('late')} &lt;b&gt;</code></p>`,
        match_subject: 'code',
      })
      const { match_content } = await matchOf('link', '"example.com/page"')
      expect(match_content).toMatch(/<a href="https:\/\/example.com\/page"[^>]*>/)
      expect(match_content).toContain(`https://${hit('example.com/page')}</a>`)
    })

    test('highlights HTML for clients that show Markdown too', async () => {
      expect((await matchOf('running', 'run', { apply_markdown: false })).match_content).toContain('<p>')
    })

    test('returns no matches without a search term', async () => {
      const { messages } = await fetchAs(ann, [is('id', ids['plain'])])

      expect(messages).toHaveLength(1)
      expect(messages[0]).not.toHaveProperty('match_content')
    })
  })

  describe('GET /messages/matches_narrow', () => {
    test('returns the messages that match a narrow, with their highlights', async () => {
      const msg_ids = [ids['running'], ids['plain'], ids['direct']] as number[]

      const { messages } = await ann.call(findMatchingMessages, {
        msg_ids,
        narrow: [is('search', 'words running')],
      })
      const { messages: topical } = await ann.call(findMatchingMessages, {
        msg_ids,
        narrow: [is('topic', 'menu')],
      })

      expect(messages).toEqual({})
      expect(topical).toEqual({
        [ids['plain'] ?? 0]: { match_content: '<p>Nothing but words</p>', match_subject: 'menu' },
      })
    })

    test('accepts as many messages as one page of a fetch', async () => {
      const others = Array.from({ length: limits.maxMessagesPerFetch }, (_, n) => 9_999_000_000 + n)
      const msg_ids = [ids['plain'] ?? 0, ...others]

      const { messages } = await ann.call(findMatchingMessages, { msg_ids, narrow: [is('topic', 'menu')] })

      expect(Object.keys(messages)).toEqual([String(ids['plain'])])
    })

    test('omits messages that the caller never received', async () => {
      const msg_ids = [ids['plain'] ?? 0]

      expect(await cem.call(findMatchingMessages, { msg_ids, narrow: [inOpen()] })).toMatchObject({
        messages: {},
      })
      expect(await ann.send(findMatchingMessages, { msg_ids: [], narrow: [] })).toMatchObject(
        success({ messages: {} }),
      )
    })
  })

  describe('first_unread', () => {
    test('skips messages of channels that the user left, and read ones', async () => {
      const left = await newChannel(ann, { others: [cem] })
      await sendToChannel(ann, left.name)
      await cem.call(unsubscribe, { subscriptions: [left.name] })
      const stay = await newChannel(ann, { others: [cem] })
      const [read, unread] = [await sendToChannel(ann, stay.name), await sendToChannel(ann, stay.name)]
      await cem.call(updateMessageFlags, { messages: [read], op: 'add', flag: 'read' })

      const { anchor } = await fetchAs(cem, [not('is', 'dm'), is('sender', ann.userId)], {
        anchor: 'first_unread',
      })

      expect(anchor).toBe(unread)
    })
  })
}
