import { Role } from '@tms/contracts'
import { type Html, html, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'
import { timeOf } from './time-views.ts'
import type { ListedUser } from './users-page.queries.ts'

export const ROLE_NAMES: readonly (readonly [Role, string])[] = [
  [Role.owner, 'Owner'],
  [Role.administrator, 'Administrator'],
  [Role.moderator, 'Moderator'],
  [Role.member, 'Member'],
  [Role.guest, 'Guest'],
]

export const roleNameOf = (role: number): string =>
  ROLE_NAMES.find(([one]) => one === role)?.[1] ?? String(role)

interface UsersView {
  readonly search: string
  readonly isActive: boolean
  readonly users: readonly ListedUser[]
  /** By ID, in UNIX seconds. */
  readonly seen: ReadonlyMap<number, number>
  readonly timeZone: string
  readonly isFirstPage: boolean
  /** After which user the next page begins; null on the last. */
  readonly nextAfter: number | null
}

/** What administrators find on the page of their own account. */
export const usersSection: Html = html`<h2 id="users">Users</h2>
${searchForm('', true)}`

export function usersView(realm: PageOwner, view: UsersView): PageAnswer {
  const { search, isActive, users, nextAfter, isFirstPage } = view
  const found = search === '' && isFirstPage
  return pageOf(realm, {
    browser: { hasOwnForms: true },
    title: 'Users',
    body: html`<p><a href="/account/">Your account</a></p>
${searchForm(search, isActive)}
<h2>${isActive ? 'Active users' : 'Deactivated users'}</h2>
${
  users.length === 0
    ? html`<p role="status">${found ? 'There are none.' : 'No user was found.'}</p>`
    : html`<ul class="list">
${users.map((user) => userItem(user, view))}</ul>`
}
${
  (nextAfter !== null || !isFirstPage) &&
  html`<nav class="row" aria-label="Pages">
${!isFirstPage && html`<a class="button quiet" href="${urlOf(search, isActive, null)}">First page</a>`}
${nextAfter !== null && html`<a class="button quiet" href="${urlOf(search, isActive, nextAfter)}">Next page</a>`}
</nav>`
}`,
  })
}

function searchForm(search: string, isActive: boolean): Html {
  return html`<form method="get" action="/account/users/" role="search">
<label for="search">Name or address</label>
<input id="search" name="search" type="search" value="${search}" autocomplete="off" aria-describedby="search-hint">
<p class="hint" id="search-hint">Or parts of them. Without any, all are listed.</p>
<label for="show">Which users</label>
<select id="show" name="show">
<option value="active"${isActive && html` selected`}>Active</option>
<option value="deactivated"${!isActive && html` selected`}>Deactivated</option>
</select>
<button class="quiet">Find users</button>
</form>`
}

function userItem({ id, fullName, email, role }: ListedUser, { seen, timeZone }: UsersView): Html {
  const seenAt = seen.get(id)
  return html`<li><span><a href="/account/users/${id}/">${fullName}</a> · ${roleNameOf(role)}<br>
<span class="hint">${email}${seenAt !== undefined && html` · last seen ${timeOf(new Date(seenAt * 1_000), timeZone)}`}</span></span></li>
`
}

function urlOf(search: string, isActive: boolean, after: number | null): string {
  const query = new URLSearchParams({
    ...(search !== '' && { search }),
    show: isActive ? 'active' : 'deactivated',
    ...(after !== null && { after: String(after) }),
  })
  return `/account/users/?${query.toString()}`
}
