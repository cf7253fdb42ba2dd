import { alertOf, type Html, html, type PageAnswer, type PageOwner, pageOf } from '@tms/service-kit'
import type { FormProtection } from '../sessions/own-forms.ts'
import { tokenField } from './log-in-views.ts'
import { type QuietForm, WEEKDAYS } from './quiet-form.rules.ts'
import { formatTime, timeOf } from './time-views.ts'

/** A device, as its user sees it. */
export interface ShownDevice {
  readonly id: number
  /** What kind of device it is, and of which app or push service. */
  readonly name: string
  readonly tokenEnd: string
  readonly isEncrypted: boolean
  readonly registeredAt: Date
}

export interface NotificationsView {
  readonly protection: FormProtection
  readonly timeZone: string
  /** Until when there is quiet, by the hours or otherwise; null if not now. */
  readonly quietUntil: Date | null
  /** Until when the user wanted quiet beside the hours; null if not now. */
  readonly snoozedUntil: Date | null
  /** What was wrong with the form of quiet that begins now. */
  readonly wrongSnooze?: string
  readonly quiet: QuietForm
  /** What was wrong with the form of quiet hours. */
  readonly wrong?: string
  readonly devices: readonly ShownDevice[]
}

/** For how long people don't want to be disturbed, in minutes. */
const SNOOZES = [
  [30, 'Half an hour'],
  [60, 'An hour'],
  [120, 'Two hours'],
  [240, 'Four hours'],
  [480, 'Eight hours'],
  [1_440, 'A day'],
  [10_080, 'A week'],
] as const

/** The page of a user's devices and quiet times. */
export function notificationsView(realm: PageOwner, view: NotificationsView): PageAnswer {
  return pageOf(realm, {
    browser: { hasOwnForms: true },
    title: 'Notifications',
    body: html`<p><a href="/account/">Your account</a></p>
${snoozeSection(view)}
${hoursSection(view)}
${devicesSection(view)}`,
  })
}

function snoozeSection({
  protection,
  timeZone,
  quietUntil,
  snoozedUntil,
  wrongSnooze,
}: NotificationsView): Html {
  return html`<h2 id="snooze">Quiet now</h2>
<p>Your devices stay silent, and mails about missed messages wait. At the end you get what is unread then.</p>
${alertOf(wrongSnooze)}
${quietUntil !== null && html`<p class="done" role="status">Quiet until ${timeOf(quietUntil, timeZone)} (${timeZone}).</p>`}
<form method="post" action="/account/snooze/">${tokenField(protection)}
<label for="minutes">For how long</label>
<select id="minutes" name="minutes">
${SNOOZES.map(([minutes, label]) => html`<option value="${minutes}"${minutes === 60 && html` selected`}>${label}</option>\n`)}</select>
<button class="quiet">Be quiet</button>
</form>
${
  snoozedUntil !== null &&
  html`<form method="post" action="/account/snooze/">${tokenField(protection)}<button class="quiet" name="minutes" value="0">End quiet</button></form>`
}`
}

function hoursSection({ protection, timeZone, quiet, wrong }: NotificationsView): Html {
  const { isEnabled, start, end, days, wholeDays } = quiet
  return html`<h2 id="hours">Quiet times each week</h2>
<form method="post" action="/account/quiet_hours/" novalidate>
${tokenField(protection)}
${alertOf(wrong)}
<label class="choice"><input type="checkbox" name="enabled" value="true"${isEnabled && html` checked`}>Have quiet times each week</label>
<label for="start">From</label>
<input id="start" name="start" type="time" value="${start}" required aria-describedby="hours-hint">
<label for="end">Until</label>
<input id="end" name="end" type="time" value="${end}" required aria-describedby="hours-hint">
<p class="hint" id="hours-hint">In the time zone ${timeZone}. An end that isn’t later than the start is on the next day.</p>
${daysField('from', 'Quiet between these times from', days)}
${daysField('whole', 'Quiet all day on', wholeDays)}
<button>Save quiet times</button>
</form>`
}

function daysField(prefix: 'from' | 'whole', legend: string, chosen: readonly string[]): Html {
  return html`<fieldset><legend class="label">${legend}</legend>
<div class="row">
${WEEKDAYS.map(
  (day) =>
    html`<label class="choice"><input type="checkbox" name="${prefix}_${day}" value="true"${chosen.includes(day) && html` checked`}>${capitalized(day)}</label>\n`,
)}</div></fieldset>`
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function devicesSection({ protection, devices, timeZone }: NotificationsView): Html {
  return html`<h2 id="devices">Devices with notifications</h2>
${
  devices.length === 0
    ? html`<p>There are none.</p>`
    : html`<ul class="list">
${devices.map((device) => deviceItem(device, protection, timeZone))}</ul>`
}
<p class="hint">Apps and browsers register themselves. One that is removed registers again when it is opened, unless it is logged out.</p>`
}

function deviceItem(
  { id, name, tokenEnd, isEncrypted, registeredAt }: ShownDevice,
  protection: FormProtection,
  timeZone: string,
): Html {
  return html`<li><span><strong>${name}</strong><br>
<span class="hint">…${tokenEnd} · ${isEncrypted && 'encrypted · '}since ${timeOf(registeredAt, timeZone)}</span></span>
<form method="post" action="/account/devices/">${tokenField(protection)}<button class="plain" name="remove" value="${id}" aria-label="Remove ${name}, since ${formatTime(registeredAt, timeZone)}">Remove</button></form></li>
`
}
