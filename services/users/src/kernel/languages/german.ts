import type { Translation } from './english.ts'

export const german: Translation = {
  greeting: 'Hallo {name},',
  'greeting.unnamed': 'Hallo,',
  open: '{realm} öffnen',
  'link.settings': 'Benachrichtigungen einstellen',
  'link.unsubscribe': 'Abbestellen',

  'missed.subject.direct': 'Direktnachrichten mit {name}',
  'missed.subject.own': 'Direktnachrichten mit dir selbst',
  'missed.subject.group': 'Gruppennachrichten mit {names}',
  'missed.subject.resolved': '[erledigt] {conversation}',
  'missed.subject.hidden': 'Neue Nachrichten',
  'missed.others': { one: '{count} weiteren Person', other: '{count} weiteren Personen' },
  'missed.omitted': {
    one: '{count} frühere Nachricht wird hier nicht gezeigt.',
    other: '{count} frühere Nachrichten werden hier nicht gezeigt.',
  },
  'missed.open': 'Unterhaltung öffnen',
  'missed.unanswerable': 'Antworten auf diese E-Mail erreichen niemanden.',
  'missed.answerable': 'Antworte auf diese E-Mail, um dort eine Antwort zu schreiben.',
  'missed.reason.direct_message': 'Du erhältst diese E-Mail, weil dir direkt geschrieben wurde.',
  'missed.reason.mentioned': 'Du erhältst diese E-Mail, weil du erwähnt wurdest.',
  'missed.reason.group': 'Du erhältst diese E-Mail, weil @{group} erwähnt wurde.',
  'missed.reason.topic_wildcard_mentioned_in_followed_topic':
    'Du erhältst diese E-Mail, weil alle Beteiligten eines Themas erwähnt wurden, dem du folgst.',
  'missed.reason.stream_wildcard_mentioned_in_followed_topic':
    'Du erhältst diese E-Mail, weil in einem Thema, dem du folgst, alle erwähnt wurden.',
  'missed.reason.topic_wildcard_mentioned':
    'Du erhältst diese E-Mail, weil alle Beteiligten des Themas erwähnt wurden.',
  'missed.reason.stream_wildcard_mentioned': 'Du erhältst diese E-Mail, weil alle im Kanal erwähnt wurden.',
  'missed.reason.followed_topic_email_notify': 'Du erhältst diese E-Mail, weil du diesem Thema folgst.',
  'missed.reason.stream_email_notify':
    'Du erhältst diese E-Mail, weil du E-Mails zu diesem Kanal eingeschaltet hast.',
  'missed.hidden': 'Du hast neue Nachrichten in {realm}.',
  'missed.hidden_by.organization':
    'Diese E-Mail zeigt sie nicht, weil deine Organisation das ausgeschaltet hat.',
  'missed.hidden_by.user':
    'Diese E-Mail zeigt sie nicht, weil du das in deinen Einstellungen ausgeschaltet hast.',
  'missed.summary.subject': {
    one: 'Ungelesene Nachrichten in {count} weiteren Unterhaltung',
    other: 'Ungelesene Nachrichten in {count} weiteren Unterhaltungen',
  },
  'missed.summary': {
    one: 'Du hast ungelesene Nachrichten in {count} weiteren Unterhaltung.',
    other: 'Du hast ungelesene Nachrichten in {count} weiteren Unterhaltungen.',
  },
  'missed.last_of_day': 'Bis zu einen Tag lang erhältst du keine E-Mails über verpasste Nachrichten mehr.',
  'missed.test': 'Ein Betreiber dieser Installation prüft, ob dich E-Mails erreichen.',

  'digest.subject': 'Was du in {realm} verpasst hast',
  'digest.intro': 'das ist in {realm} geschehen, während du weg warst.',
  'digest.more': {
    one: '{count} weitere Nachricht, mit {names}',
    other: '{count} weitere Nachrichten, mit {names}',
  },
  'digest.with': 'Mit {names}',
  'digest.channels': 'Neue Kanäle',
  'digest.more_channels': { one: 'Und {count} weiterer.', other: 'Und {count} weitere.' },
  'digest.reason':
    'Du erhältst diese E-Mail, weil du einige Tage nicht aktiv warst. Sie kommt höchstens einmal in der Woche.',
  'digest.hidden': 'in {realm} gibt es neue Nachrichten, seit du weg warst.',
  'reply.refused.subject': 'Deine Antwort wurde nicht gepostet',
  'reply.refused.intro': 'deine Antwort per E-Mail, „{subject}“, wurde in {realm} nicht gepostet. Der Grund:',
  'reply.empty': 'Die E-Mail enthält außer dem zitierten keinen Text und keinen Anhang.',
  'reply.omitted': '(Nicht angehängt: {names})',
  'reply.tested.subject': 'Antworten per E-Mail funktionieren',
  'reply.tested':
    'deine Antwort auf die Test-E-Mail ist angekommen. Antworten auf E-Mails über verpasste Nachrichten werden gepostet.',
  'announcement.reason':
    'Du erhältst diese E-Mail, weil du ein Konto in {realm} hast. Sie kommt von den Betreibern des Dienstes.',

  'login.subject': 'Neue Anmeldung bei {realm}',
  'login.intro': 'gerade hat sich jemand mit deinem Konto bei {realm} angemeldet.',
  'login.time': 'Wann: {time}',
  'login.program': 'Womit: {program}',
  'login.unknown_program': 'einem unbekannten Programm',
  'login.address': 'Von: {address}',
  'login.advice':
    'Wenn du das warst, ist nichts zu tun. Wenn nicht, ändere sofort dein Passwort, lass dir einen neuen API-Schlüssel geben und benachrichtige die Administratoren der Organisation.',
  'login.turn_off': 'Du kannst diese E-Mails in deinen Einstellungen ausschalten.',
  'login_mails_off.subject': 'Keine E-Mails mehr über Anmeldungen bei {realm}',
  'login_mails_off.intro':
    'E-Mails über neue Anmeldungen mit deinem Konto bei {realm} wurden über den Link in einer von ihnen ausgeschaltet. Das ist die letzte.',
  'login_mails_off.advice':
    'Wenn du das warst, ist nichts zu tun. Wenn nicht, schalte sie in deinen Einstellungen wieder ein und ändere dein Passwort.',

  'welcome.subject': 'Willkommen bei {realm}',
  'welcome.intro':
    'Du hast jetzt ein Konto bei {realm}. Melde dich mit dieser E-Mail-Adresse und deinem Passwort an.',

  'deactivation.subject': 'Dein Konto bei {realm} wurde deaktiviert',
  'deactivation.intro':
    'Ein Administrator von {realm} hat dein Konto deaktiviert. Du kannst dich dort nicht mehr anmelden.',
  'deactivation.comment': 'Dazu wurde dir diese Nachricht hinterlassen:',

  'email_change.subject': 'Bestätige deine neue E-Mail-Adresse für {realm}',
  'email_change.intro': '{name}, du möchtest bei {realm} diese Adresse statt {address} verwenden.',
  'email_change.request':
    'Bitte bestätige, dass sie dir gehört. Bis dahin bleibt deine jetzige Adresse in Gebrauch.',
  'email_change.action': 'Adresse bestätigen',
  'email_change.remark':
    'Der Link funktioniert einmal, einen Tag lang. Wenn du das nicht wolltest, brauchst du nichts zu tun.',
  'email_changed.subject': 'Deine E-Mail-Adresse für {realm} wurde geändert',
  'email_changed.intro':
    '{name}, die E-Mail-Adresse deines Kontos bei {realm} ist jetzt {new_address}. {address} wird nicht mehr verwendet.',
  'email_changed.advice':
    'Wenn du das nicht warst, benachrichtige bitte sofort einen Administrator der Organisation.',
  'new_address.subject': 'Dein Konto bei {realm} hat jetzt diese E-Mail-Adresse',
  'new_address.intro':
    '{name}, das System, das die Konten von {realm} verwaltet, hat deinem Konto diese Adresse statt {address} gegeben.',
  'new_address.advice':
    'Wenn du dort kein Konto hast, benachrichtige bitte einen Administrator der Organisation.',

  'invitation.subject': '{inviter} lädt dich zu {realm} ein',
  'invitation.intro': '{inviter} möchte, dass du {realm} beitrittst, wo das Team sich unterhält.',
  'invitation.action': 'Beitreten',
  'invitation.validity': 'Die Einladung gilt bis {time}.',
  'invitation.unlimited': 'Die Einladung läuft nicht ab.',
  'invitation.ignore': 'Wenn du nicht weißt, worum es geht, kannst du diese E-Mail ignorieren.',
  'invitation_reminder.subject': 'Deine Einladung zu {realm} läuft bald ab',
  'invitation_reminder.intro': '{inviter} hat dich zu {realm} eingeladen und wartet noch auf dich.',
  'invitation_reminder.only': 'Das ist die einzige Erinnerung.',

  'confirmation.subject': 'Bestätige deine E-Mail-Adresse für {realm}',
  'confirmation.intro': 'Jemand, vermutlich du, möchte {realm} mit dieser E-Mail-Adresse beitreten.',
  'confirmation.action': 'Bestätigen und weiter',
  'confirmation.validity': 'Der Link gilt bis {time}.',
  'confirmation.ignore': 'Wenn du das nicht warst, ignoriere diese E-Mail: Ohne dich geschieht nichts.',

  'password_reset.subject': 'Ein neues Passwort für {realm}',
  'password_reset.intro':
    'Jemand, vermutlich du, hat für diese E-Mail-Adresse bei {realm} ein neues Passwort angefordert.',
  'password_reset.action': 'Neues Passwort wählen',
  'password_reset.validity': 'Der Link funktioniert einmal, bis {time}.',
  'password_reset.ignore': 'Wenn du das nicht warst, ignoriere diese E-Mail: Ohne dich ändert sich nichts.',
  'password_reset.deactivated.subject': 'Dein Konto bei {realm} ist deaktiviert',
  'password_reset.deactivated':
    'Das Konto ist deaktiviert: Bitte einen Administrator der Organisation, es wieder zu aktivieren.',
  'password_reset.directory.subject': 'Dein Passwort für {realm}',
  'password_reset.directory':
    'Dein Passwort dort ist das aus dem Verzeichnis deiner Organisation, das du auch anderswo verwendest: Ändere es dort, wo du es sonst tust.',
  'password_reset.unknown.subject': 'Kein Konto bei {realm}',
  'password_reset.unknown':
    'Zu ihr gibt es kein Konto. Vielleicht hast du dich mit einer anderen Adresse registriert.',
  'password_changed.subject': 'Dein Passwort für {realm} wurde geändert',
  'password_changed.intro': 'Das Passwort deines Kontos bei {realm} wurde gerade geändert.',
  'password_changed.advice':
    'Wenn du das nicht warst, fordere sofort ein neues Passwort an und benachrichtige einen Administrator der Organisation.',

  'push.message': 'Neue Nachricht',
  'push.many': 'Viele neue Nachrichten',
  'push.waiting': { one: '{count} neue Nachricht', other: '{count} neue Nachrichten' },
  'push.waiting.conversations': { one: 'In {count} Unterhaltung', other: 'In {count} Unterhaltungen' },

  'push.test.title': 'Testbenachrichtigung',
  'push.test': 'Benachrichtigungen erreichen dieses Gerät.',
  'push.mentioned': '{name} hat dich erwähnt:',
  'push.mentioned.group': '{name} hat @{group} erwähnt:',
  'push.mentioned.everyone': '{name} hat alle erwähnt:',
}
