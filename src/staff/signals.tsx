/** How this browser draws attention to a new message: by a sound, and by a notification. */
import { useState } from 'react';
import { sharedFlag } from '../platform/browser/browser-storage.ts';
import { Panel } from '../ui/admin-page-layout.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { showError } from '../ui/toast/toast.ts';

const SOUND = sharedFlag('desk-sound');
const NOTIFY = sharedFlag('desk-notify');

/** Says nothing of who wrote: others may see the screen. */
export function signalMessage(title: string): void {
  if (SOUND.isSet()) chime();
  if (!NOTIFY.isSet() || !document.hidden || Notification.permission !== 'granted') return;
  notify(title);
}

/** Whether it is shown. Android has the class, and lets only service workers use it. */
function notify(title: string): boolean {
  try {
    const notification = new Notification(title, { tag: 'inbox' });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return true;
  } catch {
    return false;
  }
}

function chime(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}

export function SignalsPanel() {
  const [sound, setSound] = useState(SOUND.isSet);
  const [notifies, setNotifies] = useState(NOTIFY.isSet);
  return (
    <Panel heading="When a message comes, in this browser">
      <Checkbox
        label="Sound"
        checked={sound}
        onChange={({ target: { checked } }) => {
          SOUND.set(checked);
          setSound(checked);
          if (checked) chime();
        }}
      />
      <Checkbox
        label="Notify me while this tab is hidden"
        checked={notifies}
        onChange={async ({ target: { checked } }) => {
          const isAllowed =
            checked &&
            'Notification' in window &&
            (await Notification.requestPermission()) === 'granted' &&
            notify('Notifications are on');
          if (checked && !isAllowed)
            showError('This browser does not allow notifications of this site.');
          NOTIFY.set(isAllowed);
          setNotifies(isAllowed);
        }}
      />
    </Panel>
  );
}
