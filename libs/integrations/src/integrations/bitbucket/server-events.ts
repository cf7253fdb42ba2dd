import { z } from 'zod'
import { type IntegrationMessage, message } from '../../kernel/integration.ts'
import { type EventHandler, type EventTable, on } from '../../shared/event-table.ts'
import { listOf, text } from '../../shared/fields.ts'
import {
  branchTopic,
  commentText,
  commitLink,
  createdBranchText,
  deletedBranchText,
  type Item,
  isChosenBranch,
  itemLink,
  itemText,
  itemTopic,
  tagText,
} from '../../shared/git.ts'
import { inline, link, list } from '../../shared/markdown.ts'

const links = z
  .looseObject({ self: listOf(z.looseObject({ href: text }).nullish()) })
  .nullish()
  .transform((value) => value?.self[0]?.href)
const person = z
  .looseObject({ displayName: text, name: text })
  .nullish()
  .transform((value) => value?.displayName || value?.name || 'Someone')
const project = z.looseObject({ key: text, name: text }).nullish()
const repository = z.looseObject({ name: z.string(), slug: text, links, project })
type Repository = z.output<typeof repository>
const acted = z.looseObject({ actor: person })
const base = acted.extend({ repository })

/** A page of a repository, whose own ends with `/browse`. */
const within = ({ links: self }: Repository, path: string): string | null =>
  self ? `${self.replace(/\/browse$/, '')}/${path}` : null

const change = z.looseObject({
  ref: z.looseObject({ displayId: z.string(), type: text }),
  toHash: text,
  type: text,
})

const onRefs = on(base.extend({ changes: z.array(change) }), ({ payload, parameters }, event) => {
  const made = payload.changes.map((each) => ofChange(each, payload, event, parameters['branches']))
  return { kind: 'messages', messages: made.flatMap((each) => each ?? []) }
})

/** Null if the branch isn't chosen. */
function ofChange(
  { ref, toHash, type }: z.output<typeof change>,
  { actor, repository: of }: z.output<typeof base>,
  event: string,
  branches: string | undefined,
): IntegrationMessage | null {
  const name = ref.displayId
  if (ref.type === 'TAG')
    return { event, topic: of.name, content: tagText(actor, type === 'DELETE' ? 'removed' : 'pushed', name) }
  if (!isChosenBranch(name, branches)) return null
  const head = `${commitLink(toHash, within(of, `commits/${toHash}`))}`
  const content =
    type === 'ADD'
      ? createdBranchText(actor, name, within(of, `browse?at=${encodeURIComponent(name.toWellFormed())}`))
      : type === 'DELETE'
        ? deletedBranchText(actor, name)
        : `${inline(actor)} pushed to branch ${inline(name)}. Head is now ${head}.`
  return { event, topic: branchTopic(of.name, name), content }
}

const VERBS_OF_COMMENTS: ReadonlyMap<string, string> = new Map([
  ['added', 'commented'],
  ['edited', 'edited a comment'],
  ['deleted', 'deleted a comment'],
])
const verbOfComment = (event: string): string =>
  VERBS_OF_COMMENTS.get(event.slice(event.lastIndexOf(':') + 1)) ?? 'commented'

const comment = z.looseObject({ text, id: text })

const onCommitComment = on(base.extend({ comment, commit: z.string() }), ({ payload }, event) => {
  const { actor, repository: of, comment: about, commit } = payload
  const page = within(of, `commits/${commit}`)
  const said = commentText({
    ...{ user: actor, verb: verbOfComment(event), body: about.text },
    url: page && `${page}?commentId=${about.id}`,
    target: commitLink(commit, page),
  })
  return message(event, of.name, said)
})

const onFork = on(
  base.extend({ repository: repository.extend({ origin: repository.nullish() }) }),
  ({ payload }, event) => {
    const { actor, repository: of } = payload
    const name = of.project?.name ? `${of.project.name} / ${of.name}` : of.name
    const said = `${inline(actor)} forked the repository into ${link(name, of.links)}.`
    return message(event, of.origin?.name ?? of.name, said)
  },
)

const onModified = on(acted.extend({ old: repository, new: repository }), ({ payload }, event) => {
  const { actor, old, new: of } = payload
  const said = `${inline(actor)} changed the name of the **${inline(old.name)}** repository to ${link(of.name, of.links)}.`
  return message(event, of.name, said)
})

const side = z.looseObject({ displayId: text, repository: repository.nullish() })
const reviewers = listOf(z.looseObject({ user: person }))
const pullRequest = acted.extend({
  pullRequest: z.looseObject({
    id: z.number(),
    title: text,
    description: text,
    links,
    fromRef: side,
    toRef: side,
    reviewers,
  }),
  previousTitle: text,
  comment: comment.nullish(),
  participant: z.looseObject({ user: person }).nullish(),
  addedReviewers: listOf(person),
  removedReviewers: listOf(person),
})
type PullRequest = z.output<typeof pullRequest>

const about = ({ pullRequest: of }: PullRequest): { item: Item; topic: string } => {
  const item = { kind: 'PR', number: of.id, title: of.title, url: of.links }
  return { item, topic: itemTopic(of.toRef.repository?.name || '?', item) }
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['pr:opened', 'opened'],
  ['pr:modified', 'modified'],
  ['pr:from_ref_updated', 'updated'],
  ['pr:merged', 'merged'],
  ['pr:declined', 'declined'],
  ['pr:deleted', 'deleted'],
])

const onPullRequest = on(pullRequest, ({ payload, hasTopic }, event) => {
  const { actor, pullRequest: of } = payload
  const { item, topic } = about(payload)
  const isOpened = event === 'pr:opened'
  const said = itemText({
    ...{ user: actor, action: VERBS.get(event) ?? 'updated', item, hasTopic },
    branches: { head: of.fromRef.displayId, base: of.toRef.displayId },
    assignees: isOpened ? of.reviewers.map(({ user }) => user) : [],
    body: isOpened || event === 'pr:modified' ? of.description : null,
  })
  return message(event, topic, said)
})

const onPullRequestComment = on(pullRequest, ({ payload, hasTopic }, event) => {
  const { actor, comment: of, pullRequest: on } = payload
  const { item, topic } = about(payload)
  const said = commentText({
    ...{ user: actor, verb: verbOfComment(event), body: of?.text, target: itemLink(item, hasTopic) },
    url: on.links && `${on.links}/overview?commentId=${of?.id ?? ''}`,
  })
  return message(event, topic, said)
})

const REVIEWS: ReadonlyMap<string, string> = new Map([
  ['pr:reviewer:approved', 'approved'],
  ['pr:reviewer:unapproved', 'withdrew the approval of'],
  ['pr:reviewer:needs_work', 'asked for work on'],
  ['pr:reviewer:updated', 'changed the reviewers of'],
])

const onReview = on(pullRequest, ({ payload, hasTopic }, event) => {
  const { actor, participant, addedReviewers: added, removedReviewers: removed } = payload
  const { item, topic } = about(payload)
  const names = (people: readonly string[]) => list(people.map(inline))
  const rest = [
    ...(added.length === 0 ? [] : [`added ${names(added)}`]),
    ...(removed.length === 0 ? [] : [`removed ${names(removed)}`]),
  ].join('; ')
  const said = itemText({
    ...{ user: participant?.user ?? actor, action: REVIEWS.get(event) ?? 'reviewed', item, hasTopic },
    rest: rest === '' ? '' : `(${rest})`,
  })
  return message(event, topic, said)
})

export const serverEvents: EventTable = new Map<string, EventHandler>([
  ['repo:refs_changed', onRefs],
  ...['added', 'edited', 'deleted'].map((action) => [`repo:comment:${action}`, onCommitComment] as const),
  ['repo:forked', onFork],
  ['repo:modified', onModified],
  ...[...VERBS.keys()].map((event) => [event, onPullRequest] as const),
  ...['added', 'edited', 'deleted'].map((action) => [`pr:comment:${action}`, onPullRequestComment] as const),
  ...[...REVIEWS.keys()].map((event) => [event, onReview] as const),
])
