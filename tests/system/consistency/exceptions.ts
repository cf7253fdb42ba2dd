import { type AnyEndpoint, endpoints } from '@tms/contracts'

const { addAndroidDevice, addApnsDevice, devFetchApiKey, fetchApiKey, markOnboardingStep } = endpoints.users
const { removeAndroidDevice, removeApnsDevice, submitJoinPage, submitNewPasswordPage } = endpoints.users
const { submitOpenJoinPage, submitPasswordResetPage, submitSignUpPage, testPushNotification } =
  endpoints.users
const { updatePresence } = endpoints.users
const { updateBotStorage, removeBotStorage } = endpoints.users
const { createSavedSnippet, deleteSavedSnippet, updateSavedSnippet } = endpoints.users
const { createZoomCall, deleteExport, joinCallPage, startExport } = endpoints.realm

const OWN_DEVICES =
  'Devices are read from the database by the replica that changes them, and by nothing else.'
const SIGN_IN = 'Changes nothing: it returns a key.'
const KEY_BY_MAIL = 'Sends a mail; its key is read from the database by whichever replica it is opened at.'
const BOT_STORAGE =
  'What a bot stores is read from the database of users by each request of that bot, and by nothing else.'
const SAVED_SNIPPETS = 'Saved snippets are read from the database by whichever replica of users is asked.'
const EXPORTS = 'Exports are listed from the database by whichever replica of realm is asked.'

/** Endpoints whose changes no other replica or service caches, and why. */
export const exceptions: ReadonlyMap<AnyEndpoint, string> = new Map<AnyEndpoint, string>([
  [addAndroidDevice, OWN_DEVICES],
  [addApnsDevice, OWN_DEVICES],
  [removeAndroidDevice, OWN_DEVICES],
  [removeApnsDevice, OWN_DEVICES],
  [testPushNotification, 'Changes nothing: it answers whether there is a device.'],
  [devFetchApiKey, SIGN_IN],
  [fetchApiKey, SIGN_IN],
  [markOnboardingStep, 'Only register returns it, from the database of users.'],
  [submitJoinPage, KEY_BY_MAIL],
  [submitOpenJoinPage, KEY_BY_MAIL],
  [submitPasswordResetPage, KEY_BY_MAIL],
  [
    submitNewPasswordPage,
    'A password is read from the database by each sign-in, as one changed in the settings.',
  ],
  [submitSignUpPage, 'Creates an account by the use case by which an administrator creates one.'],
  [updatePresence, 'Presence is in Redis alone, where each replica reads it.'],
  [updateBotStorage, BOT_STORAGE],
  [removeBotStorage, BOT_STORAGE],
  [createSavedSnippet, SAVED_SNIPPETS],
  [updateSavedSnippet, SAVED_SNIPPETS],
  [deleteSavedSnippet, SAVED_SNIPPETS],
  [createZoomCall, 'Changes nothing here.'],
  [joinCallPage, 'Changes nothing here: BigBlueButton holds the call.'],
  [startExport, EXPORTS],
  [deleteExport, EXPORTS],
])
