# Lends this Windows machine to the pool at @URL@; the line that 'imker join' prints runs it.
#   -Service   starts when you log on from now on (a scheduled task); without it, until Ctrl-C
# Removing:    Unregister-ScheduledTask imker-agent; Remove-Item -Recurse $env:LOCALAPPDATA\imker-agent
param([switch]$Service)
$ErrorActionPreference = 'Stop'
$url = '@URL@'
$pin = '@PIN@'
$sum = '@PLAIN_SUM@'

if ($env:IMKER_JOIN -notlike 'imker-join-*') {
  throw "Which pool? IMKER_JOIN has to be the join token: take the whole line from 'imker join'."
}
$place = Join-Path $env:LOCALAPPDATA 'imker-agent'
$fetched = Join-Path ([IO.Path]::GetTempPath()) ('imker-' + [Guid]::NewGuid() + '.tar')
try {
  $lines = @('header = "Authorization: Bearer ' + $env:IMKER_JOIN + '"')
  if ($pin) { $lines += @('insecure', ('pinnedpubkey = "' + $pin + '"')) }
  $lines | curl.exe -fsS -K - -o $fetched ($url + '/join/program.tar')
  if ($LASTEXITCODE -ne 0) { throw "$url/join/program.tar could not be fetched." }
  if ((Get-FileHash -Algorithm SHA256 $fetched).Hash -ne $sum) {
    throw 'What the server sent is not what this script knows; nothing was installed. Try again.'
  }
  New-Item -ItemType Directory -Force $place | Out-Null
  tar.exe -xf $fetched -C $place
  if ($LASTEXITCODE -ne 0) { throw 'The agent could not be unpacked.' }
} finally {
  Remove-Item -Force -ErrorAction SilentlyContinue $fetched
}
$imker = Join-Path $place 'bin\imker.cmd'
& $imker --version
if ($LASTEXITCODE -ne 0) { throw 'The agent does not run: it needs a Java 25 or newer (JAVA_HOME, or java on the PATH).' }
if ($Service) {
  & $imker agent install | Out-Null # keeps the token where only this user reads it
  if ($LASTEXITCODE -ne 0) { throw 'The join token could not be kept.' }
  $action = New-ScheduledTaskAction -Execute $imker -Argument 'agent'
  Register-ScheduledTask -Force -TaskName 'imker-agent' -Action $action -Trigger (New-ScheduledTaskTrigger -AtLogOn) | Out-Null
  Start-ScheduledTask -TaskName 'imker-agent'
  Write-Output "The agent runs, and starts when you log on."
} else {
  & $imker agent
}
