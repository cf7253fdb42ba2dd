import { Readable } from 'node:stream'
import { AppError, type endpoints } from '@tms/contracts'
import { FileAnswer, type Handler, RedirectAnswer } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { replaceApiKey } from '../kernel/account-changes/replace-api-key.ts'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import { getCredentials } from '../kernel/credentials/credential.queries.ts'
import { endOtherSessions, endSessionByHash } from '../sessions/end-sessions.ts'
import { endRecorded } from '../sessions/record-end.ts'
import { apiKeyView } from './account-views.ts'
import { findRefusal, visitOf, visitOfForm } from './account-visit.ts'
import { ACCOUNT_PATH } from './page-request.ts'
import { showAccount } from './show-account.ts'

type Pages = typeof endpoints.users

export const handleShowAccountPage: Handler<Pages['showAccountPage'], DirectoryContext> = async (request) => {
  const visit = await visitOf(request)
  return visit instanceof RedirectAnswer ? visit : showAccount(request, visit)
}

export const handleSubmitApiKeyForm: Handler<Pages['submitApiKeyForm'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOfForm(request)
  if (!('session' in visit)) return visit
  const { realm, account } = visit
  const { context, input, requestId } = request
  const refusal = await findRefusal(request, visit)
  if (refusal) return showAccount(request, visit, refusal)
  const email = account.deliveryEmail
  if (input.action === 'replace') {
    const apiKey = await context.transact(async (tx) => {
      const locked = await lockAccount(tx, account.realmId, account.id)
      if (!locked?.isActive) throw new AppError('USER_DEACTIVATED')
      return replaceApiKey(tx, locked, requestId)
    })
    return apiKeyView(realm, { email, apiKey, isNew: true })
  }
  const { apiKey } = await getCredentials(context.prisma, account.realmId, account.id)
  return input.action === 'download'
    ? zuliprcOf({ email, apiKey, site: realm.url })
    : apiKeyView(realm, { email, apiKey, isNew: false })
}

export const handleSubmitSessionsForm: Handler<Pages['submitSessionsForm'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOfForm(request)
  if (!('session' in visit)) return visit
  const { session } = visit
  const { context, input, requestId } = request
  const one = input.session
  if (one === 'others')
    await endRecorded(context, { owner: session, ended: 'others', requestId }, () =>
      endOtherSessions(context, session, session),
    )
  else if (one !== undefined && (await context.sessions.find(session, one, context.now())))
    await endRecorded(context, { owner: session, ended: 'one', requestId }, () =>
      endSessionByHash(context, session, one),
    )
  // Loading the page again must not send the form again.
  return new RedirectAnswer(ACCOUNT_PATH)
}

/** The file that API clients read. */
function zuliprcOf({ email, apiKey, site }: { email: string; apiKey: string; site: string }): FileAnswer {
  const content = Buffer.from(`[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`)
  return new FileAnswer({
    contentType: 'application/octet-stream',
    disposition: 'attachment; filename="zuliprc"',
    size: content.length,
    tag: null,
    open: ({ start, end }) => Promise.resolve(Readable.from([content.subarray(start, end + 1)])),
  })
}
