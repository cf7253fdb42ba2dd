import type { endpoints } from '@tms/contracts'
import { type Handler, html, inputOf, type PageAnswer, pageOf, RedirectAnswer } from '@tms/service-kit'
import { LOG_IN_PATH } from '../pages/page-request.ts'
import { nextPathOf } from '../sessions/next-url.rules.ts'
import type { SignOnContext } from './sign-on-context.ts'

type Pages = typeof endpoints.users

/** Asks for the organization, and leads to its log-in page. */
export const handleShowOrganizationChoice: Handler<Pages['showOrganizationChoice'], SignOnContext> = (
  request,
) => choose(request)
export const handleSubmitOrganizationChoice: Handler<Pages['submitOrganizationChoice'], SignOnContext> = (
  request,
) => choose(request)

async function choose({
  context,
  input,
}: {
  readonly context: SignOnContext
  readonly input: { readonly next?: string | undefined; readonly subdomain?: string | undefined }
}): Promise<PageAnswer | RedirectAnswer> {
  const { realms, externalHost, externalUrl } = context
  // A path alone: it is of the organization that is chosen.
  const next = nextPathOf(input.next, [])
  const name = input.subdomain?.trim().toLowerCase()
  const isName = name !== undefined && /^[a-z0-9-]{1,40}$/.test(name)
  const realm = isName ? await realms.findByHost(`${name}.${externalHost}`) : null
  if (realm)
    return new RedirectAnswer(
      `${realm.url}${LOG_IN_PATH}${next === null ? '' : `?next=${encodeURIComponent(next)}`}`,
    )
  const wrong = name === undefined ? undefined : 'There is no organization of that name.'
  return pageOf(
    { name: externalHost, url: externalUrl },
    {
      status: wrong === undefined ? 200 : 404,
      title: 'Go to your organization',
      body: html`<form method="post" action="/accounts/go/" novalidate>
${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${inputOf({
  ...{
    name: 'subdomain',
    label: 'Name of the organization',
    value: name ?? '',
    autocomplete: 'organization',
  },
  ...{ hint: `What stands before .${externalHost} in its address.`, wrong, isFirst: true },
})}
<button>Continue</button>
</form>`,
    },
  )
}
