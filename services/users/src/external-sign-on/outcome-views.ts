import { type ProviderSettings, pathOf } from '@tms/contracts'
import { html, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'
import { nameOf } from '../providers/provider-calls.ts'
import type { Wish } from './flow.ts'

/** For a sign-in that is too old, was used, or began in another browser; it doesn't reveal which. */
export function lostFlowView(owner: PageOwner): PageAnswer {
  return pageOf(owner, {
    status: 400,
    title: 'Sign in once more',
    body: html`<p role="status">This sign-in took too long, was used already, or began in another browser. Begin again in your chat app, at the address of your organization.</p>`,
  })
}

export function methodOffView(realm: PageOwner): PageAnswer {
  return pageOf(realm, {
    status: 403,
    title: 'Not this way',
    body: html`<p role="status">${realm.name} has switched this way of signing in off.</p>`,
  })
}

/** For a message that names no provider, or that it hasn't signed: it reveals not which. */
export function wrongMessageView(owner: PageOwner): PageAnswer {
  return pageOf(owner, {
    status: 403,
    title: 'Not verified',
    body: html`<p role="status">This message of a log-in site can’t be verified. Begin again in your chat app, at the address of your organization.</p>`,
  })
}

/** `elsewhere` is where the user logs out of the site of the sign-in, too. */
export function loggedOutView(
  owner: PageOwner,
  elsewhere: URL | null,
  cookies: readonly string[] = [],
): PageAnswer {
  return pageOf(owner, {
    title: 'You are logged out',
    body: html`<p role="status">You are logged out of ${owner.name}.</p>
${elsewhere && html`<p><a href="${elsewhere.href}">Log out of ${elsewhere.host}, too</a></p>`}`,
    leadsTo: elsewhere?.href ?? null,
    browser: { cookies },
  })
}

/** `reason` is a sentence. */
export function refusedView(
  realm: PageOwner,
  provider: Pick<ProviderSettings, 'display_name' | 'kind'>,
  reason: string,
): PageAnswer {
  return noSignInView(realm, nameOf(provider), reason)
}

/** The same for a method that is no provider. */
export function noSignInView(realm: PageOwner, methodName: string, reason: string): PageAnswer {
  return pageOf(realm, {
    status: 403,
    title: `No sign-in with ${methodName}`,
    body: html`<p role="status">${reason}</p><p class="hint">You can sign in to ${realm.name} in another way, or with another account.</p>`,
  })
}

/** Asks somebody who wanted to log in whether to make an account. The provider is asked again then. */
export function noAccountView(
  realm: PageOwner,
  provider: ProviderSettings,
  email: string,
  { mobilePad, desktopKey, next }: Wish,
): PageAnswer {
  const url = new URL(`${realm.url}/accounts/register/social/${pathOf(provider)}`)
  const fields = { mobile_flow_otp: mobilePad, desktop_flow_otp: desktopKey, next }
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) url.searchParams.set(name, value)
  return pageOf(realm, {
    title: 'You have no account yet',
    body: html`<p role="status">Nobody in ${realm.name} has the e-mail address <strong>${email}</strong>.</p>
<p><a href="${url.href}">Make an account with ${nameOf(provider)}</a></p>
<p class="hint">If you have one with another address, sign in with that.</p>`,
  })
}

/** The desktop app reads what people copy from here. */
export function desktopTokenView(
  realm: PageOwner,
  encryptedToken: string,
  cookies: readonly string[],
): PageAnswer {
  return pageOf(realm, {
    title: 'Back to the app',
    body: html`<p role="status">Copy this text within 15 seconds, and the app will log you in.</p>
<label for="desktop-data">Text for the app</label>
<input id="desktop-data" readonly value="${encryptedToken}" data-first>`,
    browser: { cookies },
  })
}
