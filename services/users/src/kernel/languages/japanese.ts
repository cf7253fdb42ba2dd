import type { Translation } from './english.ts'

export const japanese: Translation = {
  greeting: '{name} さん',
  'greeting.unnamed': 'こんにちは。',
  open: '{realm} を開く',
  'link.settings': '通知の設定',
  'link.unsubscribe': '配信停止',

  'missed.subject.direct': '{name} さんとのダイレクトメッセージ',
  'missed.subject.own': '自分へのダイレクトメッセージ',
  'missed.subject.group': '{names} とのグループメッセージ',
  'missed.subject.resolved': '[解決済み] {conversation}',
  'missed.subject.hidden': '新着メッセージ',
  'missed.others': { other: 'ほか {count} 人' },
  'missed.omitted': { other: 'これより前のメッセージ {count} 件は表示されていません。' },
  'missed.open': '会話を開く',
  'missed.unanswerable': 'このメールに返信しても誰にも届きません。',
  'missed.answerable': 'このメールに返信すると、会話に投稿されます。',
  'missed.reason.direct_message':
    'このメールは、あなた宛てのダイレクトメッセージがあったため送信されました。',
  'missed.reason.mentioned': 'このメールは、あなたがメンションされたため送信されました。',
  'missed.reason.group': 'このメールは、@{group} がメンションされたため送信されました。',
  'missed.reason.topic_wildcard_mentioned_in_followed_topic':
    'このメールは、フォロー中のトピックの参加者全員がメンションされたため送信されました。',
  'missed.reason.stream_wildcard_mentioned_in_followed_topic':
    'このメールは、フォロー中のトピックで全員がメンションされたため送信されました。',
  'missed.reason.topic_wildcard_mentioned':
    'このメールは、トピックの参加者全員がメンションされたため送信されました。',
  'missed.reason.stream_wildcard_mentioned':
    'このメールは、チャンネルの全員がメンションされたため送信されました。',
  'missed.reason.followed_topic_email_notify':
    'このメールは、このトピックをフォローしているため送信されました。',
  'missed.reason.stream_email_notify':
    'このメールは、このチャンネルのメール通知をオンにしているため送信されました。',
  'missed.hidden': '{realm} に新着メッセージがあります。',
  'missed.hidden_by.organization': '組織の設定により、このメールには内容が表示されません。',
  'missed.hidden_by.user': 'あなたの設定により、このメールには内容が表示されません。',
  'missed.summary.subject': { other: 'ほか {count} 件の会話に未読メッセージがあります' },
  'missed.summary': { other: 'ほか {count} 件の会話に未読メッセージがあります。' },
  'missed.last_of_day': '今後最大 1 日間、未読メッセージのメールは送信されません。',
  'missed.test': 'このシステムの運用者が、メールが届くかどうかを確認しています。',

  'digest.subject': '{realm} の見逃した話題',
  'digest.intro': 'ご不在の間に、{realm} では次のことがありました。',
  'digest.more': { other: 'ほか {count} 件のメッセージ ({names})' },
  'digest.with': '参加者: {names}',
  'digest.channels': '新しいチャンネル',
  'digest.more_channels': { other: 'ほか {count} 件。' },
  'digest.reason': 'このメールは、数日間ご利用がなかったため送信されました。多くても週に 1 回です。',
  'digest.hidden': 'ご不在の間に、{realm} に新着メッセージがありました。',
  'reply.refused.subject': '返信は投稿されませんでした',
  'reply.refused.intro': 'メールでの返信「{subject}」は、次の理由により {realm} に投稿されませんでした:',
  'reply.empty': '引用以外の本文も添付ファイルもありません。',
  'reply.omitted': '(添付できなかったファイル: {names})',
  'reply.tested.subject': 'メールでの返信は機能しています',
  'reply.tested': 'テストメールへの返信が届きました。未読メッセージのメールへの返信は投稿されます。',
  'announcement.reason':
    'このメールは、{realm} にアカウントがあるため送信されました。サービスの運営者からのお知らせです。',

  'login.subject': '{realm} への新しいサインイン',
  'login.intro': '{realm} のあなたのアカウントへのサインインがありました。',
  'login.time': '日時: {time}',
  'login.program': 'プログラム: {program}',
  'login.unknown_program': '不明なプログラム',
  'login.address': '接続元: {address}',
  'login.advice':
    'ご本人であれば、何もする必要はありません。心当たりがない場合は、すぐにパスワードを変更し、新しい API キーを取得して、組織の管理者に知らせてください。',
  'login.turn_off': 'このメールは設定でオフにできます。',
  'login_mails_off.subject': '{realm} へのサインインのメールは今後送信されません',
  'login_mails_off.intro':
    '{realm} のあなたのアカウントへの新しいサインインを知らせるメールが、メール内のリンクからオフにされました。このメールが最後です。',
  'login_mails_off.advice':
    'ご本人であれば、何もする必要はありません。心当たりがない場合は、設定で再びオンにし、パスワードを変更してください。',

  'welcome.subject': '{realm} へようこそ',
  'welcome.intro':
    '{realm} のアカウントが作成されました。サインインには、このメールアドレスとパスワードを使ってください。',

  'deactivation.subject': '{realm} のアカウントが無効になりました',
  'deactivation.intro':
    '{realm} の管理者があなたのアカウントを無効にしたため、サインインできなくなりました。',
  'deactivation.comment': '管理者からのメッセージ:',

  'email_change.subject': '{realm} の新しいメールアドレスを確認してください',
  'email_change.intro':
    '{name} さん、{realm} で {address} の代わりにこのアドレスを使うよう申請がありました。',
  'email_change.request':
    'ご自身のアドレスであることを確認してください。確認が済むまでは、現在のアドレスが使われます。',
  'email_change.action': 'アドレスを確認する',
  'email_change.remark':
    'リンクは 1 日間、1 回だけ有効です。申請した覚えがない場合は、何もする必要はありません。',
  'email_changed.subject': '{realm} のメールアドレスが変更されました',
  'email_changed.intro':
    '{name} さん、{realm} のアカウントのメールアドレスは {new_address} になりました。{address} は使われなくなります。',
  'email_changed.advice': '心当たりがない場合は、すぐに組織の管理者に知らせてください。',
  'new_address.subject': '{realm} のアカウントにこのメールアドレスが設定されました',
  'new_address.intro':
    '{name} さん、{realm} のアカウントを管理するシステムが、{address} の代わりにこのアドレスをアカウントに設定しました。',
  'new_address.advice': 'アカウントをお持ちでない場合は、組織の管理者に知らせてください。',

  'invitation.subject': '{inviter} さんから {realm} への招待',
  'invitation.intro': '{inviter} さんが、チームの会話の場 {realm} にあなたを招待しています。',
  'invitation.action': '参加する',
  'invitation.validity': '招待の有効期限は {time} です。',
  'invitation.unlimited': '招待に有効期限はありません。',
  'invitation.ignore': '心当たりがない場合は、このメールを無視してください。',
  'invitation_reminder.subject': '{realm} への招待の有効期限が近づいています',
  'invitation_reminder.intro': '{inviter} さんが {realm} にあなたを招待し、参加をお待ちしています。',
  'invitation_reminder.only': 'お知らせはこの 1 回だけです。',

  'confirmation.subject': '{realm} のメールアドレスを確認してください',
  'confirmation.intro':
    'どなたか (おそらくあなた) が、このメールアドレスで {realm} に参加しようとしています。',
  'confirmation.action': '確認して続ける',
  'confirmation.validity': 'リンクの有効期限は {time} です。',
  'confirmation.ignore':
    '心当たりがない場合は、このメールを無視してください。あなたの操作なしには何も起こりません。',

  'password_reset.subject': '{realm} の新しいパスワード',
  'password_reset.intro':
    'どなたか (おそらくあなた) が、{realm} のこのメールアドレスの新しいパスワードを申請しました。',
  'password_reset.action': '新しいパスワードを設定する',
  'password_reset.validity': 'リンクは {time} まで、1 回だけ有効です。',
  'password_reset.ignore':
    '心当たりがない場合は、このメールを無視してください。あなたの操作なしには何も変わりません。',
  'password_reset.deactivated.subject': '{realm} のアカウントは無効になっています',
  'password_reset.deactivated': 'アカウントは無効になっています。組織の管理者に再有効化を依頼してください。',
  'password_reset.directory.subject': '{realm} のパスワード',
  'password_reset.directory':
    'パスワードは、ほかでもお使いの組織のディレクトリのものです。いつもの場所で変更してください。',
  'password_reset.unknown.subject': '{realm} にアカウントがありません',
  'password_reset.unknown': 'このアドレスのアカウントはありません。別のアドレスで登録した可能性があります。',
  'password_changed.subject': '{realm} のパスワードが変更されました',
  'password_changed.intro': '{realm} のアカウントのパスワードが変更されました。',
  'password_changed.advice':
    '心当たりがない場合は、すぐに新しいパスワードを申請し、組織の管理者に知らせてください。',

  'push.message': '新着メッセージ',
  'push.many': '新着メッセージが多数あります',
  'push.waiting': { other: '新着メッセージ {count} 件' },
  'push.waiting.conversations': { other: '会話 {count} 件' },

  'push.test.title': 'テスト通知',
  'push.test': 'このデバイスに通知が届いています。',
  'push.mentioned': '{name} さんがあなたをメンションしました:',
  'push.mentioned.group': '{name} さんが @{group} をメンションしました:',
  'push.mentioned.everyone': '{name} さんが全員をメンションしました:',
}
