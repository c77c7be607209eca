// Shows notifications of the page, and brings it to the front when one is clicked. It answers no requests: what the page shows is live.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (activation) => activation.waitUntil(self.clients.claim()));
self.addEventListener('notificationclick', (click) => {
  const { notification } = click;
  notification.close();
  click.waitUntil(show(notification.data.address));
});

async function show(address) {
  const windows = await self.clients.matchAll({ type: 'window' });
  const shown = windows.find(({ url }) => url === address) ?? windows[0];
  if (!shown) return self.clients.openWindow(address);
  await shown.focus();
  return shown.url === address ? undefined : shown.navigate(address);
}
