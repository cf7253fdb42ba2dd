/** Operations of features that no installation has, or that the tests' one lacks: they always fail. */
export const switchedOff: readonly string[] = [
  'createZoomCall',
  'createBigBlueButtonCall',
  'createDefaultChannelGroup',
  'updateDefaultChannelGroup',
  'removeDefaultChannelGroup',
  'updateDefaultChannelGroupChannels',
  'fetchApiKeyByToken',
  'registerSealedPush',
  'testSealedPush',
]
