@echo off
rem Starts Imker with the Java that came along, else with JAVA_HOME or the one on the PATH (25 or newer).
setlocal
set "home=%~dp0.."
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
if exist "%home%\runtime\bin\java.exe" set "java=%home%\runtime\bin\java"
"%java%" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:+UseSerialGC %IMKER_JAVA_OPTS% -cp "%home%\lib\imker.jar" dev.imker.cli.Main %*
