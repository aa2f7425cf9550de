# SPDX-License-Identifier: GPL-3.0-or-later
# NOT TESTED HERE. Builds Headroom with Visual Studio's compiler and writes build\windows\headroom-setup.exe.
# Run in a "Developer PowerShell"; VCPKG_ROOT names vcpkg, QT_ROOT a Qt 6.4 or newer, CUSTOMPLOT_ROOT an installed QCustomPlot.
$ErrorActionPreference = 'Stop'
Set-Location "$PSScriptRoot\..\.."

foreach ($name in 'VCPKG_ROOT', 'QT_ROOT', 'CUSTOMPLOT_ROOT') {
    if (-not [Environment]::GetEnvironmentVariable($name)) { throw "windows.ps1: set $name" }
}
& "$env:VCPKG_ROOT\vcpkg.exe" install fmt nlohmann-json rapidjson cli11 tl-expected zlib sqlite3 --triplet x64-windows-static-md
cmake -S . -B build\windows -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEADROOM_TESTS=OFF -DHEADROOM_PCH=OFF `
    -DCMAKE_TOOLCHAIN_FILE="$env:VCPKG_ROOT\scripts\buildsystems\vcpkg.cmake" `
    -DVCPKG_TARGET_TRIPLET=x64-windows-static-md `
    -DCMAKE_PREFIX_PATH="$env:QT_ROOT;$env:CUSTOMPLOT_ROOT"
cmake --build build\windows
foreach ($component in 'gui', 'cli') { cmake --install build\windows --prefix build\windows\tree --component $component }
# Qt's libraries and plug-ins beside the program.
& "$env:QT_ROOT\bin\windeployqt.exe" --release --no-translations --svg build\windows\tree\bin\headroom.exe
makensis packaging\recipes\headroom.nsi
