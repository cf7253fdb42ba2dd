import type { SamplesOf } from '../sample.ts'

const beginning = { next: '/account/', mobile_flow_otp: '0'.repeat(64) }
const answer = { state: 'x'.repeat(43), code: 'x' }

export const externalSignOnSamples = {
  startExternalLogIn: { foreign: { backend: 'oidc', ...beginning } },
  startProviderLogIn: { foreign: { backend: 'oidc', provider: 'x', ...beginning } },
  startExternalSignUp: {
    foreign: ({ linkKey }) => [{ backend: 'oidc', ...beginning, multiuse_object_key: linkKey }],
  },
  startProviderSignUp: {
    foreign: ({ linkKey }) => [
      { backend: 'oidc', provider: 'x', ...beginning, multiuse_object_key: linkKey },
    ],
  },
  openExternalSite: { foreign: { backend: 'oidc', ...beginning } },
  openProviderSite: { foreign: { backend: 'oidc', provider: 'x', ...beginning } },
  completeExternalSignIn: { foreign: { backend: 'oidc', ...answer } },
  completeProviderSignIn: { foreign: { backend: 'oidc', provider: 'x', ...answer } },
  completePostedSignIn: {
    foreign: { backend: 'apple', ...answer },
    noConsistencyRow:
      'Creates an account by the use case by which the right password of a directory creates one.',
  },
  takeHandOver: { foreign: { token: 'x'.repeat(32) } },
  startProxySignIn: { foreign: ({ linkKey }) => [{ ...beginning, multiuse_object_key: linkKey }] },
  completeProxySignIn: { foreign: ({ linkKey }) => [{ ...beginning, multiuse_object_key: linkKey }] },
  submitToken: {
    foreign: { token: 'x' },
    noConsistencyRow:
      'Creates an account by the use case by which the right password of a directory creates one.',
  },
  fetchApiKeyByToken: {
    foreign: { token: 'x', include_profile: 'true' },
    noConsistencyRow: 'Records that a token was used, in Redis, and a mail.',
  },
  showOrganizationChoice: { foreign: { next: '/account/', subdomain: 'nowhere' } },
  submitOrganizationChoice: {
    foreign: { next: '/account/', subdomain: 'nowhere' },
    noConsistencyRow: 'Changes nothing: it leads to another page.',
  },
} satisfies SamplesOf<'users'>
